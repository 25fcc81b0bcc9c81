// A section for each property: the verdict, and what it rests on.

const SAID = { true: "holds", false: "is violated", unknown: "is unknown" };
const badge = (verdict) => element("span", { class: `verdict is-${verdict}` }, verdict);

/** Text in which lines are buttons that show them in the source. */
function withLines(text, show) {
  return text.split(/(\bline \d+\b)/).map((part, k) => (k % 2
    ? element("button", { type: "button", class: "line-link", click: () => show(Number(part.slice(5))) }, part) : part));
}

class Answer {
  constructor(its, moved) {
    this.its = its;
    this.moved = moved;
    this.stepper = null;
    this.body = element("div", { class: "body" });
    this.node = element("details", { class: "answer", id: its.property, toggle: () => this.node.open && this.fill() },
      element("summary", { click: () => this.fill() }, badge(its.verdict), " ", element("h2", {}, its.property), " ",
        element("span", { class: "meaning" }, its.execution?.message ?? its.meaning)),
      this.body);
  }

  open() {
    this.node.open = true;
    this.fill();
  }

  fill() {
    if (this.body.hasChildNodes()) return;
    const { its } = this;
    const parts = its.execution ? this.violation() : [];
    this.body.append(...parts, ...this.rest());
    this.stepper?.draw();
  }

  violation() {
    const { execution, verdict } = this.its;
    this.stepper = new Stepper(this.its, this.moved);
    const home = execution.rows.find((row) => row.file !== undefined)?.file ?? 0;
    const show = (line) => this.stepper.source.reveal({ file: home, line });
    const cause = execution.cause;
    return [
      verdict === "false" ? null : element("p", {}, `${this.its.reason}. An execution that comes to it:`),
      cause === null ? null : element("p", { class: "cause" }, element("strong", {}, `${cause.name}: `),
        ...withLines(cause.text, show), "."),
      this.stepper.node,
    ].filter((part) => part !== null);
  }

  /** What is the same for all verdicts. */
  rest() {
    const { its } = this;
    const numbers = Object.entries(its.numbers);
    return [
      its.verdict === "true" ? element("p", { class: "how" }, ...how(its)) : null,
      its.proof?.lines.length ? invariants(its.proof.lines) : null,
      its.verdict === "unknown" && !its.execution ? element("p", { class: "cause unclear" }, element("strong", {}, "Unknown: "), its.reason) : null,
      its.vacuous ? element("p", { class: "alarm" }, `Vacuous: ${its.vacuous}`) : null,
      ...its.alarms.map(alarmNode),
      its.notes.length ? element("ul", { class: "notes" }, ...its.notes.map((note) => element("li", {}, note))) : null,
      element("details", { class: "numbers" }, element("summary", {}, `Numbers of the run (engine ${its.engine})`),
        element("dl", {}, ...numbers.flatMap(([name, value]) => [element("dt", {}, name),
          element("dd", {}, typeof value === "number" ? count(value) : value)]))),
    ].filter((part) => part !== null);
  }
}

const SEARCHED = { states: "states", executions: "executions", nodes: "nodes" };

/** How a property was shown: by a certificate, or by what was searched. */
function how(its) {
  const searched = Object.entries(SEARCHED).filter(([name]) => typeof its.numbers[name] === "number" && its.numbers[name])
    .map(([name, what]) => `${count(its.numbers[name])} ${what}`);
  const by = [element("strong", {}, "Proved"), ` by engine ${its.engine}. `];
  if (its.proof?.how) return [...by, its.proof.how, " An independent checker has accepted the proof."];
  return [...by, searched.length ? `All executions were covered: ${searched.join(", ")}. ` : "",
    "There is no certificate that says what holds at a line."];
}

/** The source with what holds where a thread stands before a line. */
function invariants(lines) {
  const at = grouped(lines);
  const view = new SourceView((file, line) => {
    const its = at.get(keyOf({ file, line }));
    return its ? element("span", { class: "invariants" }, ...its.map((one) => element("span", { class: "invariant" },
      element("b", {}, `${one.thread}: `), one.says.join("; ")))) : null;
  });
  view.node.classList.add("proved");
  view.show(lines[0].file);
  return view.node;
}
const keyOf = ({ file, line }) => `${file}:${line}`;

function grouped(lines) {
  const found = new Map();
  for (const one of lines) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}

/** What facts leave open. */
function alarmNode(alarm) {
  return element("div", { class: "open" }, element("strong", {}, "Left open: "), alarm.what,
    element("ul", {}, ...alarm.accesses.map((access) => element("li", {},
      `${placeName(access)}: ${access.does} (${access.thread}${access.locks.length ? `, holding ${access.locks.join(" and ")}` : ""}) `,
      element("code", {}, access.file === undefined ? "" : lineOf(access)))),
    ...alarm.missing.map((fact) => element("li", {}, `missing: ${fact}`))));
}
