// The plots: quantiles, and any two configurations against one another.

const SIZE = { width: 640, height: 480, left: 64, right: 14, top: 14, bottom: 46 };
const inner = {
  width: SIZE.width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom,
};
const across = (part) => SIZE.left + part * inner.width;
const upwards = (part) => SIZE.top + (1 - part) * inner.height;

/** Maps a value to 0..1 on a logarithmic axis; what has no logarithm is at the low end. */
const logarithmic = ({ low, high }) => (value) =>
  Math.max(0, Math.log(Math.max(value, low) / low) / Math.log(high / low));

/** The ticks of a logarithmic axis: powers of ten, and 2 and 5 times them if it is short. */
function decades({ low, high }) {
  const count = Math.log10(high / low);
  const factors = count <= 3 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) + 1; power += Math.ceil(count / 8)) {
    ticks.push(...factors.map((factor) => Number(`${factor}e${power}`)));
  }
  return ticks.filter((tick) => low <= tick && tick <= high);
}

/** Round numbers from low to high, about eight of them. */
function roundTicks(low, high) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 8));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => (high - low) / n <= 10));
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

const line = (x1, y1, x2, y2, attributes) => shape("line", { x1, y1, x2, y2, ...attributes });
const text = (x, y, content, attributes = {}) => shape("text", { x, y, ...attributes }, content);

function frame(xTicks, yTicks, xScale, yScale, xLabel, yLabel) {
  const label = (tick) => (Math.abs(tick) >= 1e6 || (tick !== 0 && Math.abs(tick) < 1e-3)
    ? tick.toExponential(0) : tick.toLocaleString("en", { maximumFractionDigits: 3 }));
  const middle = upwards(0.5);
  return [
    ...xTicks.flatMap((tick) => [
      line(across(xScale(tick)), upwards(0), across(xScale(tick)), upwards(1), { class: "grid" }),
      text(across(xScale(tick)), SIZE.height - 28, label(tick), { "text-anchor": "middle" })]),
    ...yTicks.flatMap((tick) => [
      line(across(0), upwards(yScale(tick)), across(1), upwards(yScale(tick)), { class: "grid" }),
      text(SIZE.left - 6, upwards(yScale(tick)) + 4, label(tick), { "text-anchor": "end" })]),
    shape("rect", { class: "frame", x: SIZE.left, y: SIZE.top, width: inner.width, height: inner.height }),
    text(across(0.5), SIZE.height - 8, xLabel, { "text-anchor": "middle" }),
    text(14, middle, yLabel, { "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }),
  ];
}

/** A plot with points that mouse and keys can reach; a point is {mark, row, label}.
 *  The legend is pairs of a shape, 28 wide and 12 high, and its meaning. */
function interactive(host, title, drawn, points, legend) {
  const told = element("output", { "aria-live": "polite" });
  let chosen = -1;
  const choose = (index) => {
    points[chosen]?.mark.classList.remove("chosen");
    chosen = index;
    points[chosen].mark.classList.add("chosen");
    told.textContent = points[chosen].label;
  };
  const open = (index) => showOnly({ q: data.rows[points[index].row].task });
  const keys = (event) => {
    const next = { ArrowRight: chosen + 1, ArrowLeft: Math.max(chosen, 0) - 1,
      Home: 0, End: points.length - 1 }[event.key];
    if (event.key === "Enter" && chosen >= 0) open(chosen);
    else if (next !== undefined && points.length) choose((next + points.length) % points.length);
    else return;
    event.preventDefault();
  };
  points.forEach((point, index) => fill(point.mark, {
    click: () => open(index), mouseenter: () => choose(index),
  }, [shape("title", {}, point.label)]));
  host.replaceChildren(shape("svg", {
    viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, tabindex: "0", role: "application", keydown: keys,
    "aria-label": `${title}; ${points.length} points, arrow keys go through them`,
  }, ...drawn, ...points.map((point) => point.mark)),
  element("ul", { class: "legend" }, ...legend.map(([symbol, meaning]) => element("li", {},
    shape("svg", { viewBox: "0 0 28 12", "aria-hidden": "true" }, symbol), meaning))), told);
}

const series = (c) => `series-${c % 6}`;
const dashes = (c) => ["none", "7 3", "2 3", "9 3 2 3"][Math.floor(c / 6) % 4];

function drawQuantile() {
  const curves = data.quantile[state.quantile];
  const every = curves.flat();
  const least = Math.min(0, ...data.summary.map((sum) => (state.quantile === "score" ? sum.score : 0)),
    ...every.map(([x]) => x));
  const most = Math.max(least + 1, ...every.map(([x]) => x));
  const x = (value) => (value - least) / (most - least);
  const y = logarithmic(data.metrics.cpu);
  const points = curves.flatMap((curve, c) => curve.map(([score, cpu, row]) => ({
    row, label: `${data.configs[c].name}: ${data.rows[row].task}, ${measured("cpu", cpu)} s, at ${score}`,
    mark: shape("circle", { class: `point dot ${series(c)}`, r: 2.6,
      cx: across(x(score)), cy: upwards(y(cpu)) }),
  })));
  const lines = curves.map((curve, c) => shape("polyline", {
    class: `curve ${series(c)}`, "stroke-dasharray": dashes(c),
    points: curve.map(([score, cpu]) => `${across(x(score))},${upwards(y(cpu))}`).join(" "),
  }));
  const legend = data.configs.map((config, c) => [
    line(0, 6, 28, 6, { class: `curve ${series(c)}`, "stroke-dasharray": dashes(c) }),
    `${config.name} (${state.quantile === "score" ? `score ${data.summary[c].score}` : curves[c].length})`,
  ]);
  const xLabel = state.quantile === "score" ? "accumulated score" : "solved tasks";
  const drawn = frame(roundTicks(least, most), decades(data.metrics.cpu), x, y, xLabel, "CPU time (s)");
  interactive(byId("quantile"), "Quantile plot", [...drawn, ...lines], points, legend);
}

const INSIDE = 0.94; // the rest of a scatter plot is the border for what was not solved

function drawScatter() {
  const metric = data.metrics[state.metric];
  const log = logarithmic(metric);
  const scale = (value) => log(value) * INSIDE;
  const place = (run) => (run.solved || run.category === "wrong"
    ? (run[state.metric] === null ? null : scale(run[state.metric])) : (1 + INSIDE) / 2);
  const [a, b] = [Number(state.x), Number(state.y)];
  const describe = (run, c) => `${data.configs[c].name} ${run.category}, ${measured(state.metric, run[state.metric])}`;
  const points = data.rows.flatMap((row, index) => {
    const [one, other] = [row.runs[a], row.runs[b]];
    if (!one || !other || place(one) === null || place(other) === null) return [];
    const label = `${row.task} (${row.property}): ${describe(one, a)}; ${describe(other, b)}`;
    return [{ row: index, label, mark: mark(one, other, across(place(one)), upwards(place(other))) }];
  });
  const guide = (factor, dash) => {
    const shift = (Math.log(factor) / Math.log(metric.high / metric.low)) * INSIDE;
    const [from, to] = [Math.max(0, -shift), Math.min(INSIDE, INSIDE - shift)];
    return from >= to ? null : line(across(from), upwards(from + shift), across(to), upwards(to + shift),
      { class: "guide", "stroke-dasharray": dash, "data-factor": factor });
  };
  const guides = [[1, "none"], [2, "6 4"], [0.5, "6 4"], [10, "2 4"], [0.1, "2 4"]]
    .map(([factor, dash]) => guide(factor, dash)).filter((each) => each !== null);
  const strip = [
    shape("rect", { class: "border", x: across(INSIDE), y: SIZE.top,
      width: inner.width * (1 - INSIDE), height: inner.height }),
    shape("rect", { class: "border", x: SIZE.left, y: SIZE.top,
      width: inner.width * INSIDE, height: inner.height * (1 - INSIDE) }),
  ];
  const ticks = decades(metric);
  const drawn = frame(ticks, ticks, scale, scale, `${data.configs[a].name}: ${metric.label}`,
    `${data.configs[b].name}: ${metric.label}`);
  interactive(byId("scatter"), "Scatter plot", [...strip, ...drawn, ...guides], points, scatterLegend());
}

/** A cross for a wrong verdict, a circle for true, a square for false, hollow for none at all. */
function mark(one, other, x, y) {
  if (one.category === "wrong" || other.category === "wrong") return glyph("wrong", x, y);
  const run = one.solved ? one : other;
  return glyph(!run.solved ? "open" : run.verdict === "true" ? "true" : "false", x, y);
}

function glyph(kind, x, y) {
  const style = `point is-${kind}`;
  if (kind === "false") {
    return shape("rect", { class: `${style} dot`, x: x - 3, y: y - 3, width: 6, height: 6 });
  }
  if (kind === "true") return shape("circle", { class: `${style} dot`, cx: x, cy: y, r: 3.4 });
  if (kind === "open") return shape("circle", { class: `${style} cross`, cx: x, cy: y, r: 3.4 });
  return shape("path", { class: `${style} cross`,
    d: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x - 5} ${y + 5}L${x + 5} ${y - 5}` });
}

const scatterLegend = () => [
  ["true", "proved"], ["false", "violated"], ["wrong", "wrong verdict"], ["open", "solved by neither"],
].map(([kind, meaning]) => {
  const symbol = glyph(kind, 14, 6);
  symbol.classList.remove("point");
  return [symbol, meaning];
}).concat([
  [shape("rect", { class: "border", width: 28, height: 12 }), "not solved: timeout, memory, error, unknown"],
  [line(0, 6, 28, 6, { class: "guide", "stroke-dasharray": "6 4" }), "2 times"],
  [line(0, 6, 28, 6, { class: "guide", "stroke-dasharray": "2 4" }), "10 times"],
]);
