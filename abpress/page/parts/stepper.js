// The execution of an answer, step by step: source, lanes and panels, and what moves through them.

class Stepper {
  constructor(answer, moved) {
    this.execution = new Execution(answer.execution);
    this.property = answer.property;
    this.moved = moved;
    this.k = this.execution.length;
    this.order = false;
    const choose = (k) => this.go(k);
    this.choose = choose;
    this.lanes = new Lanes(this.execution, choose);
    this.source = new SourceView();
    this.slider = element("input", {
      type: "range", min: "0", max: String(this.execution.length), "aria-label": "Step",
      input: () => this.go(Number(this.slider.value)),
    });
    this.told = element("output", { class: "told", "aria-live": "polite" });
    this.box = element("input", { type: "checkbox", change: () => this.ordered(this.box.checked) });
    const button = (text, label, action) => element("button", { type: "button", "aria-label": label, title: label, click: action }, text);
    this.panels = element("div", { class: "panels" });
    this.node = element("div", { class: "stepper", role: "group", "aria-label": `Execution that violates ${answer.property}` },
      element("div", { class: "controls" },
        button("|◀", "to the beginning", () => this.go(START)),
        button("◀◀", "back to where another thread goes on", () => this.toSwitch(-1)),
        button("◀", "one step back", () => this.go(this.k - 1)),
        button("▶", "one step forward", () => this.go(this.k + 1)),
        button("▶▶", "forward to where another thread goes on", () => this.toSwitch(1)),
        button("▶|", "to the end", () => this.go(this.execution.length)),
        this.slider, element("label", {}, this.box, " what happens before")),
      this.told,
      element("div", { class: "panes" }, this.source.node, this.lanes.node),
      this.panels);
    this.node.addEventListener("pointerdown", () => moved(this));
    this.node.addEventListener("focusin", () => moved(this));
  }

  go(k) {
    this.k = Math.min(Math.max(k, START), this.execution.length);
    this.draw();
    this.moved(this);
  }

  toSwitch(direction) {
    this.go(this.execution.nextSwitch(this.k, direction));
  }

  ordered(order) {
    this.order = order;
    this.box.checked = order;
    this.draw();
  }

  /** What the keyboard does; whether the key means something. */
  key(event) {
    const moves = {
      ArrowRight: () => (event.shiftKey ? this.toSwitch(1) : this.go(this.k + 1)),
      ArrowLeft: () => (event.shiftKey ? this.toSwitch(-1) : this.go(this.k - 1)),
      Home: () => this.go(START),
      End: () => this.go(this.execution.length),
      h: () => this.ordered(!this.order),
    };
    const move = moves[event.key];
    if (move) move();
    return Boolean(move);
  }

  draw() {
    const { execution, k } = this;
    const row = execution.row(k);
    const standing = execution.standing(k);
    const state = execution.state(k);
    this.slider.value = String(k);
    this.slider.setAttribute("aria-valuetext", this.text());
    this.told.textContent = this.text();
    this.lanes.show(k, this.order);
    const stands = standing.map((its) => ({ place: its, text: execution.name(its.thread), className: "violated" }));
    const others = state.threads.map((thread, t) => ({ thread, t }))
      .filter(({ thread, t }) => thread.row !== null && !thread.ended && t !== row?.thread && !standing.some((s) => s.thread === t))
      .map(({ thread, t }) => ({ place: execution.rows[thread.row], text: execution.name(t), className: `thread-${t % 6}` }));
    const current = row === null ? []
      : [{ place: row, text: execution.name(row.thread), className: `${row.violation ? "violated" : "current"} thread-${row.thread % 6}` }];
    const first = standing.find((its) => its.file !== undefined) ?? row ?? execution.rows[0];
    this.source.reveal(first, standing);
    this.source.mark([...others, ...current, ...stands]);
    this.panels.replaceChildren(threadsPanel(execution, state, k), memoryPanel(execution, state, k),
      orderPanel(execution, k, this.choose));
  }

  /** The step in words. */
  text() {
    const { execution, k } = this;
    const row = execution.row(k);
    const standing = execution.standing(k);
    const of = `of ${count(execution.length)}`;
    if (k === START) return `Before the first ${of} steps`;
    const more = standing.length > MOST_TOLD ? `; and ${standing.length - MOST_TOLD} more` : "";
    if (standing.length) {
      const told = standing.slice(0, MOST_TOLD).map((its) => `${execution.name(its.thread)} ${nextOf(its)}`);
      return `Step ${count(k)} ${of}, the end: ${told.join("; ")}${more}.`;
    }
    return `Step ${count(k)} ${of}: ${execution.name(row.thread)}, ${placeName(row)}: ${row.says.join("; ") || lineOf(row)}.`;
  }
}

const MOST_TOLD = 4;
