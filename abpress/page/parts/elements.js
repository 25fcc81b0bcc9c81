// Metrics, and the state of the page, which the address keeps.

/** A value of a metric, measured ones with three digits; a dash for nothing. */
function measured(metric, value) {
  if (value === null || value === undefined) return "–";
  const whole = metric === "nodes" || value >= 100;
  return whole ? count(Math.round(value)) : value === 0 ? "0" : value.toPrecision(3);
}

const last = String(data.configs.length - 1);
const initial = {
  q: "", property: "", category: "", config: "", sort: "", down: "", wrong: "1",
  quantile: data.rows.some((row) => row.expected) ? "score" : "count",
  x: "0", y: data.configs.length > 1 ? "1" : "0", metric: "cpu",
};
const state = { ...initial };

/** Takes over the state of the address; what makes no sense there is passed over. */
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const isConfig = (value) => /^\d+$/.test(value) && Number(value) <= Number(last);
  const valid = {
    config: (value) => value === "" || isConfig(value), x: isConfig, y: isConfig,
    metric: (value) => value in data.metrics, quantile: (value) => value in data.quantile,
    property: (value) => value === "" || data.properties.includes(value),
    category: (value) => value === "" || resultFilters().some(([key]) => key === value),
  };
  for (const key of Object.keys(initial)) {
    const value = given.get(key);
    state[key] = value !== null && (valid[key] ?? (() => true))(value) ? value : initial[key];
  }
}

function writeAddress() {
  const kept = Object.entries(state).filter(([key, value]) => value !== initial[key]);
  const hash = new URLSearchParams(kept).toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}
