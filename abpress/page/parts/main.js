// The controls, and how they, the state and what is drawn follow one another.

const CONTROLS = {
  q: "filter", property: "property", category: "category", config: "config",
  quantile: "quantile-x", x: "scatter-x", y: "scatter-y", metric: "scatter-metric",
};

function update() {
  for (const [key, id] of Object.entries(CONTROLS)) byId(id).value = state[key];
  byId("wrong-first").checked = state.wrong !== "";
  byId("config").disabled = !data.categories.includes(state.category);
  limit = STEP;
  drawResults();
  drawQuantile();
  drawScatter();
  writeAddress();
}

function about() {
  const { cpu, wall, memory } = data.limits;
  const parts = [
    `started ${data.started}`, `${count(data.rows.length)} pairs of task and property`,
    cpu === null ? null : `${cpu} s CPU time`,
    wall === null ? null : `${wall} s wall time`,
    memory === null ? null : `${count(Math.round(memory))} MiB`,
  ];
  byId("about").textContent = parts.filter((part) => part !== null).join(" · ");
}

/** The choice of colours outlives the page where the browser lets it. */
function listen() {
  for (const [key, id] of Object.entries(CONTROLS)) {
    byId(id).addEventListener("input", (event) => {
      state[key] = event.target.value;
      update();
    });
  }
  byId("wrong-first").addEventListener("change", (event) => {
    state.wrong = event.target.checked ? "1" : "";
    update();
  });
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    showOnly({});
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => {
    limit += STEP;
    drawResults();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      byId("filter").focus();
    }
  });
  window.addEventListener("hashchange", () => {
    readAddress();
    update();
  });
}

const configs = data.configs.map((config, index) => [String(index), config.name]);
options(byId("property"), [["", "any"], ...data.properties.map((name) => [name, name])]);
options(byId("category"), [["", "any"], ...resultFilters()]);
options(byId("config"), [["", "any configuration"], ...configs]);
options(byId("scatter-x"), configs);
options(byId("scatter-y"), configs);
options(byId("scatter-metric"), Object.entries(data.metrics).map(([key, { label }]) => [key, label]));
about();
theme();
drawAlarms();
drawSummary();
readAddress();
listen();
update();
