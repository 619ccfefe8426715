// Which diagrams a page shows at first: what the run file asks for, then what moves and pushes, the numerics apart.

/** Largest minus smallest of the finite values. */
function spread(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? high - low : 0;
}

// Of a column of a body or a point, "crank.x" or "leg[2].knee.x": its name has dots of its own in sub-models.
const owner = (name) => (name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : name);
const most = 8; // lines of one diagram: as many as there are colours

/** Names of one unit side by side in a diagram; a part's components stay together. */
function byUnit(table, names, limit = most) {
  const groups = new Map();
  for (const name of names) {
    const unit = table.unit(name) ?? "";
    if (!groups.has(unit)) groups.set(unit, []);
    groups.get(unit).push(name);
  }
  return [...groups.values()].flatMap((group) => {
    const parts = [];
    for (let k = 0; k < group.length; k += limit) parts.push(group.slice(k, k + limit));
    return parts;
  });
}

/** The columns that `output.channels` names, in its order: "pin" is all of pin's, "pin.force" also its components. */
function requestedColumns(table, requested) {
  const names = table.names.filter((name) => name !== "t");
  return [...new Set(requested.flatMap((wanted) => names.filter((name) => name === wanted || name.startsWith(`${wanted}.`))))];
}

/** Where a requested part is a body, its coordinates without its orientation, which nobody reads from four numbers. */
function readable(table, scene, names) {
  const bodies = new Set((scene?.bodies ?? []).map((body) => body.name));
  return names.filter((name) => !(bodies.has(owner(name)) && /\.e[0-3]$/.test(name)));
}

/** The bodies' whole states are needed by the animation and asked for by habit: what elements and points do comes first. */
function requestedDiagrams(table, scene, requested) {
  const exact = new Set(requested);
  const columns = readable(table, scene, requestedColumns(table, requested));
  const bodies = new Set((scene?.bodies ?? []).map((body) => body.name));
  const special = /^(energy|constraint)(\.|$)|^(step|order|local_error)$/;
  const first = columns.filter((name) => !special.test(name) && (!bodies.has(owner(name)) || exact.has(name)));
  const placed = first.filter((name) => !(bodies.has(owner(name)) && /\.(x|y|z|phi)$/.test(name) && !exact.has(name)));
  return byUnit(table, placed).slice(0, 8);
}

function numericDiagrams(table, varies) {
  const present = (list) => list.filter((name) => table.has(name));
  const diagrams = [];
  const add = (title, y, log = false) => y.length > 0 && diagrams.push({ title, y, ...(log ? { log } : {}) });
  const energies = present(["energy.kinetic", "energy.potential", "energy.total"]);
  add("Energy", [...energies, ...present(["energy.dissipated", "energy.work"]).filter(varies)]);
  add("Constraint errors", present(["constraint.position", "constraint.velocity"]).filter((name) =>
    table.column(name).some((value) => value > 0)), true);
  const steps = present(["step"]);
  const sizes = steps.length > 0 ? table.column("step").filter((h) => h > 0).sort() : [];
  add("Step size", steps, sizes.length > 0 && sizes[sizes.length - 1] > 20 * sizes[0]);
  add("Order", present(["order"]));
  return diagrams;
}

/** What a model without requests shows: joint coordinates, the place of a point or body, forces. `coordinates`: of a problem
 *  without bodies. Of a killed run, which declares nothing, columns that no component owns. */
function usualDiagrams(table, scene, coordinates, varies) {
  const names = table.names.filter((name) => name !== "t");
  const present = (list) => list.filter((name) => table.has(name));
  const parts = scene === undefined ? [] : [...scene.points, ...scene.bodies.slice().sort((a, b) => b.mass - a.mass)];
  const owners = new Set(parts.map((part) => part.name));
  const ofElements = names.filter((name) => name.includes(".") && !owners.has(owner(name)));
  const diagrams = [];
  const add = (y) => y.length > 0 && diagrams.push({ y });
  byUnit(table, ofElements.filter((name) => ["rad", "m"].includes(table.unit(name))).filter(varies)).slice(0, 3).forEach(add);
  const axes = (scene?.coordinates ?? []).filter(([, unit]) => unit === "m").map(([axis]) => axis);
  const lengthsOf = (part) => {
    const own = names.filter((name) => owner(name) === part.name && table.unit(name) === "m");
    return own.length > 0 ? own : present(axes.map((axis) => `${part.name}.${axis}`));
  };
  const ownerless = () => names.filter((name) => !name.includes(".") && name !== "step");
  const places = scene === undefined ? (coordinates === undefined ? ownerless() : present(Object.keys(coordinates)))
    : parts.slice(0, 20).flatMap(lengthsOf);
  let moving = places.filter((name) => spread(table.column(name)) > 1e-6 * (scene?.size ?? 0)).slice(0, 4);
  if (scene !== undefined) moving = moving.filter((name) => owner(name) === owner(moving[0]));
  const widest = Math.max(...moving.map((name) => spread(table.column(name))));
  const wide = (name) => spread(table.column(name)) > 0.08 * widest;
  add(moving.filter(wide));
  add(moving.filter((name) => !wide(name)));
  byUnit(table, ofElements.filter((name) => ["N", "N m"].includes(table.unit(name))).filter(varies)).slice(0, 4).forEach(add);
  return diagrams;
}

/** {main, numerics}: lists of {y, log, title}. `asked`: the run file's own diagrams; `requested`: its output.channels. */
export function firstDiagrams(table, scene, coordinates, requested = [], asked = []) {
  const varies = (name) => spread(table.column(name)) > 1e-9 * Math.max(1, Math.abs(table.column(name)[0]));
  const numerics = numericDiagrams(table, varies);
  const known = (spec) => ({ ...spec, y: spec.y.filter((name) => table.has(name) || /^[B-Z]: /.test(name)) });
  const own = asked.map(known).filter(({ y }) => y.length > 0);
  if (own.length > 0) return { main: own, numerics };
  const main = requestedDiagrams(table, scene, requested).map((y) => ({ y }));
  const shown = new Set(main.flatMap(({ y }) => y));
  for (const diagram of usualDiagrams(table, scene, coordinates, varies)) {
    const y = diagram.y.filter((name) => !shown.has(name));
    if (y.length > 0 && main.length < 8) main.push({ y });
  }
  if (main.length === 0 && numerics.length === 0) main.push({ y: table.names.filter((name) => name !== "t").slice(0, 3) });
  return { main, numerics };
}
