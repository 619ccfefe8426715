// A table that takes in rows while a run goes on, with the interface of Table.

export class GrowingTable {
  /** `names`: "t" first; no rows yet. */
  constructor(names, units = {}) {
    this.names = names;
    this.units = new Map(Object.entries(units));
    this.rows = 0;
    this.stride = 1;
    this.capacity = 0;
    this.columns = new Map(names.map((name) => [name, new Float64Array(0)]));
  }

  has(name) {
    return this.columns.has(name);
  }

  unit(name) {
    return this.units.get(name);
  }

  /** As far as it goes now; the next rows are in the next one. */
  column(name) {
    return this.columns.get(name).subarray(0, this.rows);
  }

  rounding() {
    return 0;
  }

  /** Rows row by row, numbers first, first + stride, ... of the run; where the stride has grown, the rows between go. */
  append(values, stride, first) {
    if (stride !== this.stride) this.thinOut(stride);
    const width = this.names.length;
    const count = values.length / width;
    const begin = Math.ceil(first / stride);
    this.reserve(begin + count);
    this.names.forEach((name, k) => {
      const column = this.columns.get(name);
      for (let row = 0; row < count; ++row) column[begin + row] = values[row * width + k];
    });
    this.rows = begin + count;
  }

  thinOut(stride) {
    const step = stride / this.stride;
    const rows = Math.ceil(this.rows / step);
    for (const column of this.columns.values()) for (let row = 1; row < rows; ++row) column[row] = column[row * step];
    this.rows = rows;
    this.stride = stride;
  }

  reserve(rows) {
    if (rows <= this.capacity) return;
    this.capacity = Math.max(256, 2 * rows);
    for (const [name, column] of this.columns) {
      const larger = new Float64Array(this.capacity);
      larger.set(column.subarray(0, this.rows));
      this.columns.set(name, larger);
    }
  }
}
