// Where every body is at a time: from the columns of results.csv, or from a mode shape about the first row.
import { rowBefore } from "./data.js";

/** Writes the three rows of four of a place; p need not be of length 1, and a point mass has none. */
function setSpatial(out, at, x, y, z, e0 = 1, e1 = 0, e2 = 0, e3 = 0) {
  const length = Math.hypot(e0, e1, e2, e3) || 1;
  const [a, b, c, d] = [e0 / length, e1 / length, e2 / length, e3 / length];
  out[at] = 1 - 2 * (c * c + d * d);
  out[at + 1] = 2 * (b * c - a * d);
  out[at + 2] = 2 * (b * d + a * c);
  out[at + 3] = x;
  out[at + 4] = 2 * (b * c + a * d);
  out[at + 5] = 1 - 2 * (b * b + d * d);
  out[at + 6] = 2 * (c * d - a * b);
  out[at + 7] = y;
  out[at + 8] = 2 * (b * d - a * c);
  out[at + 9] = 2 * (c * d + a * b);
  out[at + 10] = 1 - 2 * (b * b + c * c);
  out[at + 11] = z;
}

function setPlanar(out, at, x, y, phi = 0) {
  const [c, s] = [Math.cos(phi), Math.sin(phi)];
  out.set([c, -s, 0, x, s, c, 0, y, 0, 0, 1, 0], at);
}

export class Motion {
  constructor(scene, table) {
    this.scene = scene;
    this.coordinates = scene.coordinates; // [name, unit]
    this.place = scene.planar ? setPlanar : setSpatial;
    this.places = new Float64Array(12 * scene.bodies.length);
    this.attach(table);
    this.values = new Float64Array(7);
    scene.bodies.forEach((body, i) => this.places.set(body.start, 12 * i));
    this.shape = null;
    this.set(this.times[0]);
  }

  /** The rows are those of this table, or of this table now. */
  attach(table) {
    const { scene } = this;
    this.times = table.rows > 0 ? table.column("t") : new Float64Array([0]);
    this.rows = Math.max(1, table.rows); // without results the run file's own places are the one row
    this.columns = scene.bodies.map((body) => {
      const names = this.coordinates.slice(0, body.q.length).map(([name]) => `${body.name}.${name}`); // a point mass has fewer
      if (table.rows === 0) return body.q.map((value) => [value]);
      return names.length === body.q.length && names.every((name) => table.has(name)) ? names.map((name) => table.column(name))
        : null;
    });
  }

  /** Linear between rows; Euler parameters along the shorter way. */
  set(t) {
    const row = rowBefore(this.times, t);
    const next = Math.min(row + 1, this.rows - 1);
    const span = this.times[next] - this.times[row];
    this.blend(row, next, span > 0 ? Math.min(1, Math.max(0, (t - this.times[row]) / span)) : 0);
  }

  setRow(row) {
    this.blend(row, row, 0);
  }

  blend(row, next, s) {
    const v = this.values;
    this.columns.forEach((columns, body) => {
      if (columns === null || Number.isNaN(columns[0][row])) return;
      const n = columns.length;
      let turn = 0;
      if (n === 7) for (let k = 3; k < 7; ++k) turn += columns[k][row] * columns[k][next];
      for (let k = 0; k < n; ++k) {
        const to = n === 7 && k > 2 && turn < 0 ? -columns[k][next] : columns[k][next];
        v[k] = s === 0 ? columns[k][row] : columns[k][row] + s * (to - columns[k][row]);
      }
      if (this.shape !== null) this.shape.displace(body, v);
      this.place(this.places, 12 * body, ...v.subarray(0, n));
    });
  }

  /** A body-fixed point in space; `body` -1: ground. */
  point(body, local, out) {
    if (body < 0) {
      out.set(local);
      return out;
    }
    const m = this.places;
    const at = 12 * body;
    for (let i = 0; i < 3; ++i) {
      const r = at + 4 * i;
      out[i] = m[r] * local[0] + m[r + 1] * local[1] + m[r + 2] * local[2] + m[r + 3];
    }
    return out;
  }

  /** Positions of a point at up to `count` rows: [times, xyz...]. */
  path(body, local, count) {
    const stride = Math.max(1, Math.ceil(this.rows / count));
    const times = [];
    const points = [];
    const at = new Float64Array(3);
    const columns = this.columns[body];
    for (let row = 0; row < this.rows; row += stride) {
      if (columns !== null && columns !== undefined) {
        for (let k = 0; k < columns.length; ++k) this.values[k] = columns[k][row];
        if (Number.isNaN(this.values[0])) continue;
        this.place(this.places, 12 * body, ...this.values.subarray(0, columns.length));
      }
      this.point(body, local, at);
      times.push(this.times[row]);
      points.push(at[0], at[1], at[2]);
    }
    return { times, points };
  }
}
