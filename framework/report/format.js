// Numbers and units for people.

/** Up to `digits` significant digits, without trailing zeros, exponents as in 1.2e-9. */
export function number(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const tiny = size !== 0 && (size < 1e-4 || size >= 1e7);
  const text = tiny ? value.toExponential(digits - 1).replace(/\.?0*e/, "e").replace("e+", "e") : String(Number(value.toPrecision(digits)));
  return text.replace(/^-/, "−");
}

const kinematic = {
  x: "m", y: "m", z: "m", vx: "m/s", vy: "m/s", vz: "m/s", ax: "m/s²", ay: "m/s²", az: "m/s²",
  phi: "rad", omega: "rad/s", alpha: "rad/s²", wx: "rad/s", wy: "rad/s", wz: "rad/s",
  alphax: "rad/s²", alphay: "rad/s²", alphaz: "rad/s²", e0: "", e1: "", e2: "", e3: "",
  angle: "rad", displacement: "m", speed: "m/s", length: "m", force: "N", torque: "N m",
};
const whole = { t: "s", step: "s", "constraint.position": "m, rad", "constraint.velocity": "m/s, rad/s", order: "", local_error: "" };

/** Unit of a column of results.csv, "" where it has none or nobody knows; `names`: all columns. */
export function unitOf(name, names) {
  if (name in whole) return whole[name];
  if (name.startsWith("energy.")) return "J";
  const parts = name.split(".");
  const last = parts[parts.length - 1];
  if (parts.length === 1) return "";
  if (parts.length === 3 && (parts[1] === "force" || parts[1] === "torque")) return kinematic[parts[1]];
  if (parts.length === 3) return ""; // multipliers, internal states
  if (last === "rate") return names.has(`${parts[0]}.length`) ? "m/s" : "rad/s";
  return kinematic[last] ?? "";
}

export function withUnit(text, unit) {
  return unit === "" ? text : `${text} ${unit}`;
}

/** 1, 2 or 5 times a power of ten, at most `value`. */
export function niceBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [5, 2, 1]) if (step * power <= value) return step * power;
  return power;
}
