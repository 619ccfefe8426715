// The page's numbers: base64 to typed arrays, one column at a time.

export function content() {
  return JSON.parse(document.getElementById("content").textContent);
}

let kept = {};

/** Blocks that did not come with the page, by id. */
export function keepBlocks(blocks) {
  kept = blocks;
}

function bytesOf(id) {
  const binary = atob(kept[id] ?? document.getElementById(id).textContent);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

const noNumber = 65535;

/** A table of columns as the writer packed it. */
export class Table {
  /** `info`: rows and columns [name, coding, offset, low, step]; `id`: of the element with the bytes; `units`: what the
   *  run declares of the columns, by name. */
  constructor(info, id, units = {}) {
    this.units = new Map(Object.entries(units));
    this.rows = info.rows;
    this.stride = info.stride ?? 1; // of the rows that the run wrote
    this.names = info.columns.map((column) => column[0]);
    this.infos = new Map(info.columns.map((column) => [column[0], column]));
    this.buffer = bytesOf(id);
    this.cache = new Map();
  }

  has(name) {
    return this.infos.has(name);
  }

  /** SI unit of a column, "1" without one; undefined or "": nobody declares it. */
  unit(name) {
    return this.units.get(name);
  }

  /** The values of a column as doubles; NaN where there is no number. */
  column(name) {
    let values = this.cache.get(name);
    if (values === undefined) {
      values = this.unpack(...this.infos.get(name));
      this.cache.set(name, values);
    }
    return values;
  }

  unpack(name, coding, offset, low, step) {
    if (coding === "f64") return new Float64Array(this.buffer, offset, this.rows);
    if (coding === "f32") return new Float64Array(new Float32Array(this.buffer, offset, this.rows));
    const levels = new Uint16Array(this.buffer, offset, this.rows);
    const values = new Float64Array(this.rows);
    for (let i = 0; i < values.length; ++i) values[i] = levels[i] === noNumber ? NaN : low + step * levels[i];
    return values;
  }

  /** Largest rounding of a value, in the column's unit; 0 where all digits were kept. */
  rounding(name) {
    const [, coding, , , step] = this.infos.get(name);
    return coding === "u16" ? step / 2 : 0;
  }
}

/** Index i with times[i] <= t < times[i + 1], kept within the rows. */
export function rowBefore(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Linear between rows. */
export function valueAt(times, values, t) {
  const row = rowBefore(times, t);
  if (row + 1 >= times.length) return values[row];
  const span = times[row + 1] - times[row];
  const s = span > 0 ? Math.min(1, Math.max(0, (t - times[row]) / span)) : 0;
  return s === 0 ? values[row] : s === 1 ? values[row + 1] : values[row] + s * (values[row + 1] - values[row]);
}
