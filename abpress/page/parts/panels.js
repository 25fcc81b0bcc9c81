// What holds at a step: threads with their locks and variables, memory, order and races.

const MOST_CELLS = 300;

const table = (heads, rows) => element("table", {},
  element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {}, head)))),
  element("tbody", {}, ...rows));
const tableRow = (className, ...cells) => element("tr", { class: className || null },
  ...cells.map((cell, k) => element(k ? "td" : "th", {}, ...[cell].flat())));
const panel = (title, ...children) => element("section", { class: "panel", "aria-label": title },
  element("h3", {}, title), ...children);

/** Threads: where each is, what it holds and waits for, and its variables. */
function threadsPanel(execution, state, k) {
  const row = execution.row(k);
  const rows = execution.its.threads.map((thread, t) => {
    const its = state.threads[t];
    const stands = execution.standing(k).find((s) => s.thread === t);
    const changed = new Map(row?.thread === t ? row.locals ?? [] : []);
    const locals = [...its.locals].map(([name, value]) =>
      element("span", { class: changed.has(name) ? "local changed" : "local" }, `${name} = ${value}`));
    const where = stands ? [placeName(stands), element("div", { class: "wrong" }, nextOf(stands))]
      : its.ended ? ["ended"] : its.row === null ? ["not begun"] : [placeName(execution.rows[its.row])];
    return tableRow(row?.thread === t ? "now" : "",
      element("span", { class: `thread-${t % 6} name` }, thread.name), where, its.locks.join(", "),
      its.ended ? "" : locals);
  });
  return panel("Threads", element("div", { class: "scroll" }, table(["thread", "is at", "holds", "variables"], rows)));
}

/** Memory: the cells that are accessed in the execution, those of this step first. */
function memoryPanel(execution, state, k) {
  const row = execution.row(k);
  const before = k > 0 ? execution.state(k - 1).cells : new Map();
  const read = new Set((row?.reads ?? []).map(([cell]) => cell));
  const written = new Set((row?.writes ?? []).map(([cell]) => cell));
  const touched = (cell) => read.has(cell) || written.has(cell);
  const cells = [...state.cells];
  const shown = cells.length > MOST_CELLS
    ? [...cells.filter(([cell]) => touched(cell)), ...cells.filter(([cell]) => !touched(cell))].slice(0, MOST_CELLS)
    : cells;
  const rows = shown.map(([cell, its]) => {
    const old = before.get(cell)?.value;
    const changes = written.has(cell) && old !== undefined;
    const value = changes ? [element("s", {}, old), " → ", element("b", {}, its.value)] : [its.value];
    const what = its.gone ? `is ${its.gone === "freed" ? "freed" : "gone"}` : written.has(cell) ? "written" : read.has(cell) ? "read" : "";
    const by = its.by === null ? "" : execution.name(execution.rows[its.by].thread);
    return tableRow([touched(cell) ? "now" : "", its.gone ? "gone" : ""].join(" ").trim(), cell, value, by, what);
  });
  const more = cells.length - shown.length;
  return panel("Memory", rows.length
    ? element("div", { class: "scroll" }, table(["cell", "value", "written by", "now"], rows))
    : element("p", {}, "Nothing was accessed yet."),
  more > 0 ? element("p", {}, `and ${count(more)} more cells`) : null);
}

/** A button that goes to a step. */
const goTo = (text, k, choose) => element("button", { type: "button", click: () => choose(k) }, text);

/** What orders the row of this step behind others, and the races of the execution. */
function orderPanel(execution, k, choose) {
  const row = execution.row(k);
  const name = (i) => `${i + 1} ${execution.name(execution.rows[i].thread)}, ${placeName(execution.rows[i])}`;
  const items = (row?.after ?? []).map(([before, by]) =>
    element("li", {}, "after ", goTo(name(before), before + 1, choose), ` by ${by}`));
  const races = execution.its.races.map(({ cell, rows: [one, other] }) => element("li", {},
    element("b", {}, cell), ": ", goTo(name(one), one + 1, choose), " and ", goTo(name(other), other + 1, choose)));
  const ready = execution.its.standing.filter((its) => its.kind === "ready");
  if (ready.length === 2) {
    races.push(element("li", {}, "at the end, both ready: ", ...ready.flatMap((its, n) =>
      [n ? " and " : "", `${execution.name(its.thread)} ${its.text}, ${placeName(its)}`])));
  }
  return panel("Order and races",
    row === null ? null : element("p", {}, items.length ? `Step ${k} is ordered:`
      : `Nothing of another thread orders step ${k} directly.`),
    element("ul", {}, ...items),
    element("p", {}, `Races in this execution: ${races.length || "none"}`),
    element("ul", {}, ...races),
    ...objects(execution, choose));
}

function objects(execution, choose) {
  const told = execution.its.history.filter((event) => event.what !== "begun");
  if (!told.length) return [];
  return [element("p", {}, "Objects:"), element("ul", {}, ...told.map((event) => {
    const where = `${event.thread}, ${placeName(event)}`;
    return element("li", {}, element("b", {}, event.object), ` ${WHAT[event.what] ?? event.what} `,
      event.row === undefined ? where : goTo(where, event.row + 1, choose));
  }))];
}
const WHAT = {
  ended: "is gone by", allocated: "is allocated by", freed: "is freed by", held: "is held by",
  awaited: "is awaited by", signalled: "is signalled, when nobody waits, by",
};
