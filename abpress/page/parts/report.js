// The page: its sections, the keyboard, and the address, which keeps the property and the step.

let active = null;

const ORDER = ["false", "unknown", "true"];
const answers = ORDER.flatMap((verdict) => data.answers.filter((its) => its.verdict === verdict))
  .map((its) => new Answer(its, moved));
byId("answers").replaceChildren(...answers.map((answer) => answer.node));

/** A stepper was used: the keyboard is its own, and the address says where it is. */
function moved(stepper) {
  active = stepper;
  history.replaceState(null, "", `#${stepper.property}/${stepper.k}`);
}

/** Opens what the address says; whether that is a section. */
function byAddress() {
  const [property, step] = location.hash.slice(1).split("/");
  const answer = answers.find((one) => one.its.property === property);
  if (!answer) return false;
  answer.open();
  if (answer.stepper) {
    active = answer.stepper;
    if (/^\d+$/.test(step ?? "")) answer.stepper.go(Number(step));
  }
  answer.node.scrollIntoView();
  return true;
}

function drawVerdicts() {
  const notes = data.warnings.map((text) => element("p", { class: "note" }, text));
  const chips = element("ul", { class: "chips" }, ...answers.map((answer) => element("li", {},
    badge(answer.its.verdict), " ",
    element("a", { href: `#${answer.its.property}`, click: () => answer.open() }, answer.its.property))));
  byId("verdicts").replaceChildren(...(answers.length > 1 ? [chips] : []), ...notes);
  byId("advice").hidden = !data.advice.length;
  byId("advice").append(...data.advice.map((text) => (text.startsWith(TRY)
    ? element("pre", {}, element("code", {}, text.slice(TRY.length))) : element("p", {}, text))));
}

const TRY = "try: ";

function openFirst() {
  answers[0]?.open();
  active = answers[0]?.stepper ?? null;
}

function listen() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !active) return;
    if (active.key(event)) event.preventDefault();
  });
  window.addEventListener("hashchange", byAddress);
}

byId("about").textContent = [
  `abpress ${data.tool}`, data.data_model, `${data.verdict} by ${data.engine}`,
].filter((part) => part).join(" · ");
byId("cost").textContent = `${data.cost.wall_s.toFixed(2)} s, ${data.cost.cpu_s.toFixed(2)} s CPU, `
  + `${count(Math.round(data.cost.peak_memory_mb))} MB`;
byId("keys").hidden = !data.answers.some((its) => its.execution);
theme();
drawVerdicts();
listen();
if (!byAddress()) openFirst();
