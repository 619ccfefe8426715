// What a diagram's axes have to be so that the eye is not misled: paths at equal scale, no rounding errors as large as the
// diagram, lines that lie on each other told apart.

/** Of values of this size a difference is what rounding left. */
const rounding = 1e-12;

/** Smallest and largest finite y of lists of points. */
export function rangeOf(lists, key = "y") {
  let [low, high] = [Infinity, -Infinity];
  for (const points of lists) {
    for (const point of points) {
      const value = point[key];
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Range of an axis for values that differ by rounding errors of a quantity as large as `size`: they then are a straight line.
 *  Otherwise null. */
export function quietRange(range, size) {
  if (range === null) return null;
  const [low, high] = range;
  const large = Math.max(size, Math.abs(low), Math.abs(high));
  if (!(large > 0) || high - low > rounding * large) return null;
  const middle = Math.abs(low + high) / 2 <= rounding * large ? 0 : (low + high) / 2;
  return [middle - 1e-3 * large, middle + 1e-3 * large];
}

/** Ranges of both axes for which a unit is as long across as up, in an area of this width and height. */
export function equalRanges(x, y, width, height) {
  const margin = 1.08;
  const least = 1e-9 * Math.max(Math.abs(x[0]), Math.abs(x[1]), Math.abs(y[0]), Math.abs(y[1]), 1e-12);
  const perPixel = margin * Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height, least);
  const about = ([low, high], pixels) => [(low + high) / 2 - perPixel * pixels / 2, (low + high) / 2 + perPixel * pixels / 2];
  return { x: about(x, width), y: about(y, height) };
}

/** For each list of values how many earlier ones it lies on, where it is `near` all along. Rows left out: at most 1000 are
 *  looked at. */
export function liesOn(lists, near) {
  const ranks = lists.map(() => 0);
  const same = (a, b) => {
    if (a.length !== b.length || a.length === 0) return false;
    const stride = Math.max(1, Math.floor(a.length / 1000));
    for (let row = 0; row < a.length; row += stride) {
      if (Number.isNaN(a[row]) && Number.isNaN(b[row])) continue;
      if (!(Math.abs(a[row] - b[row]) <= near)) return false;
    }
    return true;
  };
  lists.forEach((values, i) => {
    for (let k = i - 1; k >= 0; --k) {
      if (!same(values, lists[k])) continue;
      ranks[i] = ranks[k] + 1;
      break;
    }
  });
  return ranks;
}
