// What the model is made of: bodies, joints, forces, parameters, as tables.
import { el, table } from "./dom.js";
import { number } from "./format.js";

const list = (values) => (Array.isArray(values) ? values.map((value) => number(value, 4)).join(", ") : values === undefined ? ""
  : number(values, 4));

/** A part of the page that opens at a click; how many rows it has stands in its title. */
function folded(title, header, rows) {
  if (rows.length === 0) return null;
  return el("details.card", { class: "card model-table" }, el("summary", {}, `${title} (${rows.length})`),
    table(header, rows, { label: title }));
}

function bodyRows({ scene, parts }) {
  return (scene?.bodies ?? []).map((body) => {
    const own = parts.bodies.find((one) => one.name === body.name) ?? {};
    const held = parts.elements.filter(({ kind, bodies }) => kind === "constraint"
      && bodies.includes(body.name)).map(({ name }) => name);
    const start = [body.start[3], body.start[7], body.start[11]];
    return [body.name, own.mass === undefined ? "" : number(own.mass), list(own.inertia), list(start), held.join(", ")];
  });
}

/** Values that people look for in a row: numbers, short texts and lists. */
function settings(values) {
  return Object.entries(values ?? {}).map(([key, value]) => {
    const shown = typeof value === "number" ? number(value) : Array.isArray(value)
      ? `[${value.map((v) => (typeof v === "number" ? number(v, 4) : String(v))).join(", ")}]`
      : value !== null && typeof value === "object" ? value.type ?? "{…}" : String(value);
    return `${key} ${shown}`;
  }).join("; ");
}

export function modelCards(content) {
  const { parts } = content;
  if (!parts) return [];
  const rows = (kind) => parts.elements.filter((one) => one.kind === kind).map(({ name, type, bodies, values }) =>
    [name, type, bodies.join(", "), settings(values)]);
  const planar = content.scene?.planar;
  return [
    folded("Bodies", ["body", "mass (kg)", planar ? "inertia (kg m²)" : "inertia (kg m²): xx, yy, zz, xy, xz, yz", "start (m)",
      "held by"], bodyRows(content)),
    folded("Joints and drivers", ["name", "type", "bodies", "keys"], rows("constraint")),
    folded("Forces", ["name", "type", "bodies", "keys"], rows("force")),
    folded("Parameters", ["name", "value"], Object.entries(parts.parameters ?? {}).map(([name, value]) =>
      [name, typeof value === "number" ? number(value) : String(value)])),
  ].filter(Boolean);
}
