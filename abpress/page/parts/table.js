// The tables: alarms, the summary, and the results with their filters and order.

const STEP = 500;
let limit = STEP;

const resultFilters = () => [
  ...data.categories.map((category) => [category, category]),
  ["differs", "verdicts differ"],
  ["contradiction", "verdicts contradict"],
];

const wrong = (row) => row.runs.some((run) => run?.category === "wrong");
const differs = (row) =>
  row.contradiction || new Set(row.runs.map((run) => run?.verdict ?? "")).size > 1;

const texts = data.rows.map((row) =>
  [row.task, row.property, row.expected ?? "", ...row.runs.flatMap((run) =>
    run ? [run.verdict, run.category, run.reason, run.engine, run.reduction] : [])]
    .join(" ").toLowerCase());

function matches(index) {
  const row = data.rows[index];
  if (state.property && row.property !== state.property) return false;
  if (state.category === "differs" && !differs(row)) return false;
  if (state.category === "contradiction" && !row.contradiction) return false;
  if (data.categories.includes(state.category)) {
    const runs = state.config === "" ? row.runs : [row.runs[Number(state.config)]];
    if (!runs.some((run) => run?.category === state.category)) return false;
  }
  return state.q.toLowerCase().split(/\s+/).every((word) => texts[index].includes(word));
}

/** The columns: key, heading, what a row is sorted by, class of the cells, and the content. */
function columns() {
  const told = (row) => row.expected ?? "–";
  const fixed = [
    { key: "task", title: "Task", value: (row) => row.task },
    { key: "property", title: "Property", value: (row) => row.property, show: (row) => row.property },
    { key: "expected", title: "Expected", value: (row) => row.expected, show: told },
  ];
  return fixed.concat(data.configs.flatMap((_, c) => [
    { key: `verdict-${c}`, title: "Verdict", style: "group", show: (row) => verdict(row.runs[c]),
      value: (row) => row.runs[c] && `${data.categories.indexOf(row.runs[c].category)} ${row.runs[c].verdict}` },
    ...[["cpu", "CPU s"], ["memory", "MiB"], ["nodes", "Nodes"]].map(([metric, title]) => ({
      key: `${metric}-${c}`, title, style: "number",
      value: (row) => row.runs[c]?.[metric], show: (row) => measured(metric, row.runs[c]?.[metric]),
    })),
  ]));
}

const MARKS = { correct: "✓", wrong: "✗" };

function verdict(run) {
  if (!run) return "–";
  const judged = run.category in MARKS || run.category === "unjudged";
  const links = ["trace", "certificate"].filter((kind) => run[kind]).map((kind) =>
    element("a", { href: run[kind] }, kind));
  return element("span", { title: [run.engine, run.reduction].filter(Boolean).join(", ") },
    element("span", { class: className(run.category) },
      judged ? `${MARKS[run.category] ?? ""} ${run.verdict}`.trim() : run.category),
    element("span", { class: "links" }, ...links),
    run.reason && !judged ? element("span", { class: "reason", title: run.reason }, run.reason) : null);
}

const missing = (value) => value === null || value === undefined;

/** Missing values stay last in both directions; equal ones keep the order of the benchmark. */
function compare(a, b) {
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  const order = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
  return state.down ? -order : order;
}

function visibleRows() {
  const found = [...data.rows.keys()].filter(matches);
  const column = columns().find((each) => each.key === state.sort);
  const alarm = (row) => (state.wrong ? (wrong(row) ? 0 : row.contradiction ? 1 : 2) : 2);
  return found.sort((a, b) => {
    const [one, other] = [data.rows[a], data.rows[b]];
    return alarm(one) - alarm(other) ||
      (column ? compare(column.value(one), column.value(other)) : 0) || a - b;
  });
}

function drawResults() {
  const shownColumns = columns();
  const heading = (column) => {
    const on = column.key === state.sort;
    const sort = on ? (state.down ? "descending" : "ascending") : null;
    const press = () => {
      Object.assign(state, { sort: column.key, down: on && !state.down ? "1" : "" });
      update();
      byId(`sort-${column.key}`).focus();
    };
    return element("th", { scope: "col", class: column.style ?? null, "aria-sort": sort },
      element("button", { type: "button", id: `sort-${column.key}`, click: press }, column.title));
  };
  const names = data.configs.map((config) =>
    element("th", { colspan: "4", scope: "colgroup", class: "group" }, config.name,
      element("span", { class: "options" }, config.options)));
  const head = element("thead", {},
    element("tr", {}, element("td", { colspan: "3" }), ...names),
    element("tr", {}, ...shownColumns.map(heading)));
  const rows = visibleRows();
  const body = rows.slice(0, limit).map((index) => {
    const row = data.rows[index];
    const alarming = wrong(row) || row.contradiction;
    return element("tr", { class: alarming ? "alarming" : null, "data-row": index },
      element("th", { scope: "row" }, row.task),
      ...shownColumns.slice(1).map((column) =>
        element("td", { class: column.style ?? null }, column.show(row))));
  });
  byId("results").replaceChildren(head, element("tbody", {}, ...body));
  byId("shown").textContent = `${rows.length} of ${data.rows.length}`;
  byId("more").hidden = rows.length <= limit;
  byId("more").textContent = `Show ${Math.min(STEP, rows.length - limit)} more of ${rows.length}`;
}

/** Shows in the table what a button or a point stands for. */
function showOnly(filters) {
  const kept = { quantile: state.quantile, x: state.x, y: state.y, metric: state.metric };
  Object.assign(state, initial, kept, filters);
  update();
  byId("results-title").scrollIntoView();
  byId("results-title").focus({ preventScroll: true });
}

function drawSummary() {
  const titles = ["Configuration", "Score", "of", "Correct", "true", "false",
    ...data.categories.slice(1), "CPU s", "of correct"];
  const rows = data.summary.map((sum, c) => {
    const button = (category) => {
      const n = sum.counts[category];
      if (n === 0) return "0";
      const show = () => showOnly({ category, config: String(c) });
      return element("button", { type: "button", class: className(category), click: show,
        "aria-label": `${n} ${category} of ${data.configs[c].name}: show them` }, String(n));
    };
    const cells = [count(sum.score), count(sum.best), button("correct"), count(sum.true),
      count(sum.counts.correct - sum.true), ...data.categories.slice(1).map(button),
      measured("cpu", sum.cpu), measured("cpu", sum.cpu_correct)];
    return element("tr", {},
      element("th", { scope: "row" }, data.configs[c].name,
        element("span", { class: "options" }, data.configs[c].options)),
      ...cells.map((cell) => element("td", { class: "number" }, cell)));
  });
  byId("summary").replaceChildren(
    element("thead", {}, element("tr", {}, ...titles.map((title, n) =>
      element("th", { scope: "col", class: n ? "number" : null }, title)))),
    element("tbody", {}, ...rows));
}

function drawAlarms() {
  const alarms = data.rows.flatMap((row) => [
    ...row.runs.flatMap((run, c) => run?.category === "wrong"
      ? [[row, "Wrong", `${data.configs[c].name} says ${run.verdict}, expected ${row.expected}`]]
      : []),
    ...(row.contradiction
      ? [[row, "Contradiction", row.runs.flatMap((run, c) =>
          run && run.verdict !== "unknown" ? [`${data.configs[c].name}: ${run.verdict}`] : [])
          .join(", ")]]
      : []),
  ]);
  const items = alarms.slice(0, 50).map(([row, kind, what]) => element("li", {},
    element("strong", {}, kind), ` ${row.task} (${row.property}): ${what} `,
    element("button", { type: "button", click: () => showOnly({ q: row.task }) }, "show")));
  if (alarms.length > items.length) {
    items.push(element("li", {}, `and ${alarms.length - items.length} more, first in the table`));
  }
  byId("alarms").hidden = alarms.length === 0;
  byId("alarms").className = "alarm";
  byId("alarms").replaceChildren(
    element("strong", {}, `${alarms.length} wrong or contradicting`), element("ul", {}, ...items));
}
