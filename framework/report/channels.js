// What diagrams can show: the run's channels and those of overlaid tables, their names for people, radians or degrees.

/** Factor and unit for people: "rad/s" as degrees per second if these are wanted. */
export function shownScale(declared, degrees) {
  const unit = declared === undefined || declared === "1" ? "" : declared.replace("^2", "²").replace("^3", "³");
  if (!degrees || !/^rad(\/|$)/.test(unit)) return { factor: 1, unit };
  return { factor: 180 / Math.PI, unit: unit.replace(/^rad/, unit === "rad" ? "°" : "deg") };
}

export class Channels {
  /** `labels`: names for people, by channel or by its owner ("strut" for "strut.force"). */
  constructor(table, labels = {}, degrees = false) {
    this.table = table;
    this.labels = new Map(Object.entries(labels));
    this.degrees = degrees;
    this.overlays = []; // {key: "B", name, table}
  }

  /** Overlaid tables have letters: their columns are "B: name". */
  overlay(name, table) {
    const key = [..."BCDEFGHI"].find((letter) => this.overlays.every((other) => other.key !== letter));
    const added = { key, name, table };
    this.overlays.push(added);
    return added;
  }

  dropOverlay(overlay) {
    this.overlays = this.overlays.filter((other) => other !== overlay);
  }

  /** {table, column}, or null: there is none of this name. */
  find(name) {
    const parts = /^([B-Z]): (.+)$/.exec(name);
    if (parts === null) return this.table.has(name) ? { table: this.table, column: name } : null;
    const overlay = this.overlays.find(({ key }) => key === parts[1]);
    return overlay?.table.has(parts[2]) ? { table: overlay.table, column: parts[2] } : null;
  }

  has(name) {
    return this.find(name) !== null;
  }

  declared(name) {
    const { table, column } = this.find(name);
    return table.unit(column) ?? this.table.unit(column);
  }

  scale(name) {
    return shownScale(this.declared(name), this.degrees);
  }

  unit(name) {
    return this.scale(name).unit;
  }

  times(name) {
    const { table } = this.find(name);
    return table.column(table.time ?? "t");
  }

  /** As shown: in degrees, if these are wanted. */
  values(name) {
    const { table, column } = this.find(name);
    const { factor } = this.scale(name);
    const values = table.column(column);
    return factor === 1 ? values : values.map((value) => factor * value);
  }

  /** How large what has this unit becomes, of at most a hundred columns: what is smaller by far is rounding. */
  size(name) {
    const { table, column } = this.find(name);
    const unit = table.unit(column);
    table.sizes ??= new Map();
    if (!table.sizes.has(unit ?? column)) {
      const alike = unit === undefined || unit === "" || unit === "1" ? [column]
        : table.names.filter((other) => table.unit(other) === unit).slice(0, 100);
      table.sizes.set(unit ?? column, alike.reduce((size, other) => table.column(other).reduce((most, value) =>
        Math.max(most, Math.abs(value) || 0), size), 0));
    }
    return this.scale(name).factor * table.sizes.get(unit ?? column);
  }

  label(name) {
    const own = this.labels.get(name);
    if (own !== undefined) return own;
    // Names of parts of sub-models have dots themselves: "leg[2].knee".
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
      const owner = this.labels.get(name.slice(0, dot));
      if (owner !== undefined) return `${owner}, ${name.slice(dot + 1)}`;
    }
    return name;
  }

  /** All names, time left out. */
  get names() {
    const own = (table) => table.names.filter((name) => name !== (table.time ?? "t"));
    return [...own(this.table), ...this.overlays.flatMap(({ key, table }) => own(table).map((name) => `${key}: ${name}`))];
  }
}
