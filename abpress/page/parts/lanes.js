// Lanes: a column for each thread, a row for what one of them does on a line.

class Lanes {
  constructor(execution, choose) {
    this.execution = execution;
    const { threads } = execution.its;
    this.shown = threads.map((_, k) => k).filter((k) => execution.rows.some((row) => row.thread === k)
      || execution.its.standing.some((its) => its.thread === k));
    this.column = new Map(this.shown.map((thread, k) => [thread, k + 2]));
    const names = this.shown.map((k) => element("div", { class: `lane-name thread-${k % 6}` },
      element("b", {}, threads[k].name), " ",
      threads[k].function && threads[k].function !== threads[k].name ? threads[k].function : ""));
    this.rows = execution.rows.map((row, i) => this.row(row, i, choose));
    this.end = this.ending(choose);
    this.node = element("div", {
      class: "lanes", tabindex: "0", role: "region", "aria-label": "Execution, a column for each thread",
      style: `--lanes: ${this.shown.length}`,
    }, element("div", { class: "rows" },
      element("div", { class: "step lane-names" }, element("div", {}), ...names), ...this.rows, this.end));
  }

  row(row, i, choose) {
    const { rows } = this.execution;
    const switched = i > 0 && rows[i - 1].thread !== row.thread ? " switched" : "";
    const kind = row.violation ? " violation" : row.marked ? " marked" : "";
    return element("div", { class: `step${switched}${kind}`, click: () => choose(i + 1) },
      element("div", { class: "number" }, String(i + 1)),
      element("div", { class: `cell thread-${row.thread % 6}`, style: `grid-column: ${this.column.get(row.thread)}` },
        codeOf(row),
        ...row.says.map((text) => element("div", { class: says(text) }, text))));
  }

  /** Where threads stand at the end. */
  ending(choose) {
    const { standing } = this.execution.its;
    return element("div", { class: "step ending", hidden: standing.length ? null : "", click: () => choose(this.execution.length) },
      element("div", { class: "number" }, "end"),
      ...standing.map((its) => element("div", {
        class: `cell thread-${its.thread % 6}`, style: `grid-column: ${this.column.get(its.thread)}; grid-row: 1`,
      }, codeOf(its), element("div", { class: "says wrong" }, nextOf(its)))));
  }

  /** Shows the step k, and with `order` what happens before its row. */
  show(k, order) {
    const past = order && this.execution.row(k) ? this.execution.past(k - 1) : null;
    this.node.classList.toggle("ordered", past !== null);
    [...this.rows, this.end].forEach((row, i) => {
      row.classList.toggle("later", i >= k);
      row.classList.toggle("before", past?.has(i) ?? false);
      row.classList.toggle("unordered", past !== null && i < k - 1 && !past.has(i));
      if (i === k - 1) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    const current = [...this.rows, this.end][Math.max(0, k - 1)];
    if (current.hidden) return;
    const see = () => inSight(this.node, current, current.querySelector(".cell"));
    see();
    requestAnimationFrame(see); // rows that were not visible have got their heights
  }
}

/** The line of a place. */
const codeOf = (place) => (place.line === undefined ? null : element("div", { class: "code", title: lineOf(place) },
  element("span", { class: "line-number" }, String(place.line)), lineOf(place)));

function says(text) {
  if (text.startsWith("violation")) return "says wrong";
  if (/^(holds|locks|unlocks) /.test(text)) return "says lock";
  return "says";
}
