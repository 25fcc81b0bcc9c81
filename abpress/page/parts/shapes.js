// Elements and numbers, for all pages.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** Fills an element with attributes (functions are listeners, null is none) and children. */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}
const element = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
const shape = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const options = (select, entries) =>
  select.replaceChildren(...entries.map(([value, text]) => element("option", { value }, text)));

const className = (category) => category.replaceAll(" ", "-");

const count = (value) => value.toLocaleString("en");

function theme() {
  const stored = (action) => {
    try { return action(); } catch { return null; }
  };
  const apply = (value) => {
    if (value) document.documentElement.dataset.theme = value;
    else delete document.documentElement.dataset.theme;
  };
  const select = byId("theme");
  select.value = stored(() => localStorage.getItem("abpress-theme")) ?? "";
  apply(select.value);
  select.addEventListener("change", () => {
    apply(select.value);
    stored(() => localStorage.setItem("abpress-theme", select.value));
  });
}
