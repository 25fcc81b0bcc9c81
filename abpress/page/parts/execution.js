// An execution: what holds after its first k rows.

const START = 0;

class Execution {
  constructor(its) {
    this.its = its;
    this.rows = its.rows;
    this.length = its.rows.length + (its.standing.length ? 1 : 0);
    this.pasts = new Map();
  }

  /** The row that is done by the step k; null at the beginning, and at the end where threads stand. */
  row(k) {
    return this.rows[k - 1] ?? null;
  }

  /** The threads that stand before what violates the property, at the step k. */
  standing(k) {
    return k > this.rows.length ? this.its.standing : [];
  }

  /** What holds after k rows: cells with their values, writers and whether they have gone, and of
      each thread its last row, locks and local variables. */
  state(k) {
    const cells = new Map(this.its.initial.map(([cell, value]) => [cell, { value, by: null }]));
    const threads = this.its.threads.map(() => ({ row: null, locks: [], locals: new Map(), ended: false }));
    for (const [i, row] of this.rows.slice(0, k).entries()) {
      const thread = threads[row.thread];
      for (const [cell, value] of row.reads ?? []) {
        if (!cells.has(cell)) cells.set(cell, { value, by: null });
      }
      for (const [cell, value] of row.writes ?? []) cells.set(cell, { value, by: i });
      for (const [name, value] of row.locals ?? []) thread.locals.set(name, value);
      thread.row = i;
      thread.locks = row.locks ?? [];
      thread.ended = Boolean(row.ends);
    }
    for (const event of this.its.history) {
      if (event.row === undefined || event.row >= k || !["freed", "ended"].includes(event.what)) continue;
      for (const [cell, its] of cells) {
        const rest = cell.slice(event.object.length, event.object.length + 1);
        if (cell.startsWith(event.object) && ["", ".", "["].includes(rest)) its.gone = event.what;
      }
    }
    return { cells, threads };
  }

  /** Which rows happen before a row (by their numbers), itself left out. */
  past(i) {
    if (!this.pasts.has(i)) {
      const found = new Set();
      const open = [i];
      while (open.length) {
        const at = open.pop();
        const before = (this.rows[at].after ?? []).map(([row]) => row);
        const own = this.previous(at);
        if (own !== null) before.push(own);
        for (const row of before) {
          if (!found.has(row)) {
            found.add(row);
            open.push(row);
          }
        }
      }
      this.pasts.set(i, found);
    }
    return this.pasts.get(i);
  }

  /** The row before this one of the same thread. */
  previous(i) {
    if (!this.before) {
      const last = new Map();
      this.before = this.rows.map((row, at) => {
        const own = last.get(row.thread) ?? null;
        last.set(row.thread, at);
        return own;
      });
    }
    return this.before[i];
  }

  /** The step at which another thread goes on, from k in a direction. */
  nextSwitch(k, direction) {
    let at = k;
    do {
      at += direction;
    } while (at > START && at < this.rows.length && this.rows[at - 1].thread === this.rows[at].thread);
    return Math.min(Math.max(at, START), this.length);
  }

  name(thread) {
    return this.its.threads[thread].name;
  }
}

const nextOf = (its) => (its.kind === "ready" ? `next: ${its.text}` : its.text);

const lineOf = (place) => data.files[place.file]?.lines[place.line - 1]?.trim() ?? "";
const fileName = (place) => data.files[place.file].name.split("/").pop();

/** The line of a place in words, with its file if the report has several. */
function placeName(place) {
  if (place.line === undefined) return "";
  return data.files.length > 1 ? `${fileName(place)}:${place.line}` : `line ${place.line}`;
}
