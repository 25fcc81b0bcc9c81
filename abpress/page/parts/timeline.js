// The timeline of workers that share a search, and a table of their load.

const KINDS = ["exploring", "waiting", "replaying", "handing over", "telling"];
const COLOURS = ["series-2", "series-5", "series-1", "series-3", "series-4"];
const SIZE = { width: 1000, left: 80, right: 10, top: 6, row: 30, gap: 8, bottom: 40 };

const kinds = KINDS.filter((kind) => data.load.some((worker) => worker.seconds[kind]));
const seconds = (value) => (value >= 100 ? count(Math.round(value)) : value.toFixed(2));
const sum = (values) => values.reduce((a, b) => a + b, 0);
const total = (worker) => sum(Object.values(worker.seconds));
const end = Math.max(1e-6, ...data.load.map((worker) => worker.begins_s + total(worker)));
const across = (time) => SIZE.left + (time / end) * (SIZE.width - SIZE.left - SIZE.right);
const colour = (kind) => COLOURS[KINDS.indexOf(kind)];
const part = (worker, kind) =>
  `${seconds(worker.seconds[kind])} s, ${((100 * worker.seconds[kind]) / total(worker)).toFixed(1)} %`;

/** The spans of a worker, each filled from below by kinds in their order: a path per kind. */
function areas(worker, top) {
  const number = Math.max(0, ...Object.values(worker.slots).map((slots) => slots.length));
  const filled = new Array(number).fill(0);
  return kinds.filter((kind) => worker.slots[kind]).map((kind) => {
    const boxes = worker.slots[kind].map((spent, k) => {
      const from = filled[k];
      filled[k] += spent / worker.slot_s;
      if (!spent) return "";
      const x = across(worker.begins_s + k * worker.slot_s);
      const width = across(worker.begins_s + (k + 1) * worker.slot_s) - x;
      const y = top + SIZE.row * (1 - Math.min(1, filled[k]));
      return `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}`
        + `v${(SIZE.row * Math.min(1, filled[k] - from)).toFixed(2)}h${(-width).toFixed(2)}z`;
    });
    return shape("path", { class: `area ${colour(kind)}`, d: boxes.join("") },
      shape("title", {}, `worker ${worker.worker}, ${kind}: ${part(worker, kind)}`));
  });
}

/** About ten round numbers of seconds. */
function ticks() {
  const power = 10 ** Math.floor(Math.log10(end / 10));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => end / n <= 10);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, k) => Number((k * step).toPrecision(6)));
}

function drawTimeline() {
  const bottom = SIZE.top + data.load.length * (SIZE.row + SIZE.gap);
  const label = (x, y, text, anchor) => shape("text", { x, y, "text-anchor": anchor }, text);
  const lines = ticks().flatMap((tick) => [
    shape("line", { class: "grid", x1: across(tick), y1: SIZE.top, x2: across(tick), y2: bottom }),
    label(across(tick), bottom + 14, String(tick), "middle")]);
  const rows = data.load.flatMap((worker, k) => {
    const top = SIZE.top + k * (SIZE.row + SIZE.gap);
    return [label(SIZE.left - 8, top + SIZE.row / 2 + 4, `worker ${worker.worker}`, "end"),
      ...areas(worker, top)];
  });
  const legend = kinds.map((kind) => element("li", {},
    shape("svg", { viewBox: "0 0 28 12", "aria-hidden": "true" },
      shape("rect", { class: `area ${colour(kind)}`, width: 28, height: 12 })), kind));
  byId("timeline").replaceChildren(
    element("ul", { class: "legend" }, ...legend),
    shape("svg", {
      viewBox: `0 0 ${SIZE.width} ${bottom + SIZE.bottom}`, role: "img",
      "aria-label": `What ${data.load.length} workers did in ${seconds(end)} seconds; the table has the sums`,
    }, ...lines, ...rows, label(across(end / 2), bottom + 32, "seconds", "middle")));
}

function drawLoad() {
  const columns = [
    ["executions", (worker) => count(worker.executions)],
    ["events", (worker) => count(worker.events)],
    ["events again", (worker) => count(worker.events_replayed)],
    ["parts given", (worker) => count(worker.parts_given)],
    ["parts taken", (worker) => count(worker.parts_taken)],
    ["messages sent", (worker) => count(worker.messages_sent)],
    ["received", (worker) => count(worker.messages_received)],
    ...kinds.map((kind) => [kind, (worker) => (worker.seconds[kind] ? part(worker, kind) : "–")]),
  ];
  const cell = (tag, text) => element(tag, { class: "number" }, text);
  byId("load").replaceChildren(
    element("thead", {}, element("tr", {}, element("th", {}, "worker"),
      ...columns.map(([name]) => element("th", { class: "number" }, name)))),
    element("tbody", {}, ...data.load.map((worker) => element("tr", {},
      element("th", {}, String(worker.worker)), ...columns.map(([, value]) => cell("td", value(worker)))))));
}

const exploring = sum(data.load.map((worker) => worker.seconds.exploring ?? 0));
byId("about").textContent = `${data.about}: ${data.load.length} workers, ${seconds(end)} s, `
  + `${((100 * exploring) / sum(data.load.map(total))).toFixed(1)} % of their time exploring`;
theme();
drawTimeline();
drawLoad();
