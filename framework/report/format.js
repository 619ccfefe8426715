// Numbers and units for people.

/** Up to `digits` significant digits, without trailing zeros, exponents as in 1.2e-9. */
export function number(value, digits = 5) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const tiny = size !== 0 && (size < 1e-4 || size >= 1e7);
  const text = tiny ? value.toExponential(digits - 1).replace(/\.?0*e/, "e").replace("e+", "e")
    : String(Number(value.toPrecision(digits)));
  return text.replace(/^-/, "−");
}

/** Of a quantity whose largest value is `largest`: what rounding left of zero is shown as zero. */
export function reading(value, largest, digits = 6) {
  return number(Math.abs(value) < 1e-12 * largest ? 0 : value, digits);
}

/** A unit as people write it, of what the run declares: "m/s^2", "1", or nothing where nobody knows. */
export function shownUnit(declared) {
  return declared === undefined || declared === "1" ? "" : declared.replace("^2", "²").replace("^3", "³");
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
