// Source texts: lines with numbers, coloured as C is, with room for what is said beside them.

const WORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if "
  + "inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void "
  + "volatile while _Atomic _Bool _Thread_local atomic_int bool size_t pthread_t pthread_mutex_t pthread_cond_t").split(" "));
const TOKEN = /\/\*.*?(?:\*\/|$)|\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#.*|[A-Za-z_]\w*|\b\d[\w.]*|[^A-Za-z_\d"'/#]+|./g;

/** The elements of a line; `open`: a comment is open before it. Returns them and whether one is behind it. */
function coloured(text, open) {
  const parts = [];
  let rest = text;
  if (open) {
    const end = text.indexOf("*/");
    const comment = end < 0 ? text : text.slice(0, end + 2);
    parts.push(element("span", { class: "comment" }, comment));
    rest = text.slice(comment.length);
    if (end < 0) return [parts, true];
  }
  let plain = "";
  let opened = false;
  for (const [token] of rest.matchAll(TOKEN)) {
    const kind = token.startsWith("/*") || token.startsWith("//") ? "comment"
      : /^\s*#/.test(token) ? "directive" : /^["']/.test(token) ? "literal" : WORDS.has(token) ? "word" : "";
    opened = token.startsWith("/*") && !token.endsWith("*/");
    if (kind) {
      parts.push(plain, element("span", { class: kind }, token));
      plain = "";
    } else plain += token;
  }
  parts.push(plain);
  return [parts, opened];
}

/** A file as a list of lines: `beside(line)` gives what stands beside each, or null. */
class SourceView {
  constructor(beside = () => null) {
    this.beside = beside;
    this.file = null;
    this.lines = [];
    this.box = element("div", { class: "source", tabindex: "0", role: "region", "aria-label": "Source" });
    this.choice = element("select", { "aria-label": "File", change: () => this.show(Number(this.choice.value)) });
    options(this.choice, data.files.map((file, k) => [String(k), file.name]));
    this.node = element("div", { class: "source-pane" },
      data.files.length > 1 ? this.choice : null, this.box);
  }

  show(file) {
    if (file === this.file || data.files[file] === undefined) return;
    this.file = file;
    this.choice.value = String(file);
    let open = false;
    let parts;
    this.lines = data.files[file].lines.map((text, k) => {
      [parts, open] = coloured(text, open);
      return element("div", { class: "line" },
        element("span", { class: "line-number" }, String(k + 1)),
        element("code", {}, ...parts), element("span", { class: "here" }), this.beside(file, k + 1));
    });
    this.box.replaceChildren(...this.lines);
  }

  /** Shows a place, in the middle of what is visible, and others of the file if they fit beside it. */
  reveal(place, others = []) {
    if (place?.file === undefined) return;
    this.show(place.file);
    const line = this.lines[place.line - 1];
    if (!line) return;
    for (const other of others) {
      if (other.file === place.file && this.lines[other.line - 1]) inSight(this.box, this.lines[other.line - 1]);
    }
    inSight(this.box, line);
  }

  /** Marks lines: a list of {place, text, className}. */
  mark(marks) {
    this.lines.forEach((line) => {
      if (line.className !== "line") line.className = "line";
      const here = line.children[2];
      if (here.firstChild) here.replaceChildren();
    });
    for (const { place, text, className } of marks) {
      const line = place.file === this.file ? this.lines[place.line - 1] : null;
      if (!line) continue;
      if (className) line.classList.add(...className.split(" "));
      if (text) line.children[2].append(element("span", { class: `badge ${className}` }, text));
    }
  }
}

/** Scrolls a box, and nothing else, so that what is in it is visible: up or down, and to a side if `part` is not. */
function inSight(box, node, part = null) {
  if (part !== null) sideways(box, part);
  const from = box.getBoundingClientRect();
  const its = node.getBoundingClientRect();
  const header = box.querySelector(".lane-names")?.offsetHeight ?? 0;
  if (its.top < from.top + header || its.bottom > from.top + box.clientHeight) {
    box.scrollTop += its.top - from.top - (box.clientHeight - its.height) / 2;
  }
}

function sideways(box, part) {
  const from = box.getBoundingClientRect();
  const its = part.getBoundingClientRect();
  if (its.left < from.left || its.right > from.left + box.clientWidth) box.scrollLeft += its.left - from.left - 8;
}
