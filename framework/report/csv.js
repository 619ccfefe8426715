// Tables from CSV files: of another run, or measured.

/** Columns by name, with the interface of Table. `time`: the column that counts as time. */
export class PlainTable {
  constructor(names, columns, units = {}) {
    this.names = names;
    this.columns = new Map(names.map((name, i) => [name, columns[i]]));
    this.rows = columns[0]?.length ?? 0;
    this.units = new Map(Object.entries(units));
    this.time = names.includes("t") ? "t" : names[0];
  }

  has(name) {
    return this.columns.has(name);
  }

  unit(name) {
    return this.units.get(name);
  }

  column(name) {
    return this.columns.get(name);
  }

  rounding() {
    return 0;
  }
}

function separatorOf(line) {
  const count = (separator) => line.split(separator).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

const unquoted = (cell) => cell.trim().replace(/^"(.*)"$/, "$1");

/** A CSV file with or without a header line; `#` starts a comment; commas, semicolons or tabs separate. "t [s]" and "t (s)"
 *  are the column t in s. Throws Error with the line for what is no number. */
export function parseCsv(text, what = "the file") {
  const lines = text.split(/\r?\n/).map((line, i) => [i + 1, line]).filter(([, line]) => line.trim() !== ""
    && !line.startsWith("#"));
  if (lines.length < 2) throw new Error(`${what} has no rows.`);
  const separator = separatorOf(lines[0][1]);
  const first = lines[0][1].split(separator).map(unquoted);
  const headed = first.some((cell) => cell !== "" && Number.isNaN(Number(cell)) && !/^nan$/i.test(cell));
  const units = {};
  const names = first.map((cell, i) => {
    if (!headed) return i === 0 ? "t" : `column ${i + 1}`;
    const parts = /^(.*?)\s*[[(]([^\])]*)[\])]$/.exec(cell);
    if (parts !== null && parts[1] !== "") units[parts[1]] = parts[2].replace("²", "^2");
    return parts !== null && parts[1] !== "" ? parts[1] : cell || `column ${i + 1}`;
  });
  if (names.length < 2) throw new Error(`${what} has one column only; a time and at least one channel were expected.`);
  const rows = headed ? lines.slice(1) : lines;
  const columns = names.map(() => new Float64Array(rows.length));
  rows.forEach(([number, line], row) => {
    const cells = line.split(separator);
    for (let k = 0; k < names.length; ++k) {
      const cell = unquoted(cells[k] ?? "");
      const value = cell === "" || /^nan$/i.test(cell) ? NaN : Number(cell.replace(/^([+-]?)inf(inity)?$/i, "$1Infinity"));
      if (Number.isNaN(value) && cell !== "" && !/^nan$/i.test(cell)) {
        throw new Error(`${what}, line ${number}, column ${k + 1} ('${names[k]}'): '${cell}' is no number.`);
      }
      columns[k][row] = value;
    }
  });
  const time = columns[names.includes("t") ? names.indexOf("t") : 0];
  for (let row = 1; row < time.length; ++row) {
    if (!(time[row] >= time[row - 1])) throw new Error(`${what}, line ${rows[row][0]}: its time does not ascend.`);
  }
  return new PlainTable(names, columns, units);
}
