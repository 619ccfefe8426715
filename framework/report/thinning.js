// Lines of many rows drawn with few points: of the rows behind one pixel the first, the smallest, the largest, the last.
import { rowBefore } from "./data.js";

/** Points {x, y} of a line from `from` to `to`, at most about 4 per pixel column; `positive`: for a logarithmic axis. */
export function thinned(times, values, from, to, pixels, positive) {
  const first = Math.max(0, rowBefore(times, from));
  const last = Math.min(times.length - 1, rowBefore(times, to) + 1);
  const usable = (row) => Number.isFinite(values[row]) && (!positive || values[row] > 0);
  const point = (row) => ({ x: times[row], y: usable(row) ? values[row] : NaN });
  const points = [];
  if (last - first < 4 * pixels) {
    for (let row = first; row <= last; ++row) points.push(point(row));
    return points;
  }
  const rowsPerPixel = (last - first) / pixels;
  for (let pixel = 0; pixel < pixels; ++pixel) {
    const begin = first + Math.floor(pixel * rowsPerPixel);
    const end = Math.min(last, first + Math.floor((pixel + 1) * rowsPerPixel) - 1);
    let [low, high] = [-1, -1];
    for (let row = begin; row <= end; ++row) {
      if (!usable(row)) continue;
      if (low < 0 || values[row] < values[low]) low = row;
      if (high < 0 || values[row] > values[high]) high = row;
    }
    const chosen = low < 0 ? [begin] : [...new Set([begin, low, high, end])].sort((a, b) => a - b);
    for (const row of chosen) points.push(point(row));
  }
  return points;
}
