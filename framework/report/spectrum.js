// Amplitude spectra: what a channel holds at each frequency.

/** In place; the length is a power of two. */
function transform(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let length = 2; length <= n; length <<= 1) {
    const half = length >> 1;
    const cos = new Float64Array(half);
    const sin = new Float64Array(half);
    for (let k = 0; k < half; ++k) {
      cos[k] = Math.cos((-2 * Math.PI * k) / length);
      sin[k] = Math.sin((-2 * Math.PI * k) / length);
    }
    for (let begin = 0; begin < n; begin += length) {
      for (let k = 0; k < half; ++k) {
        const a = begin + k;
        const b = a + half;
        const x = re[b] * cos[k] - im[b] * sin[k];
        const y = re[b] * sin[k] + im[b] * cos[k];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

const most = 1 << 16;

/** Values at equal times: those of the rows where they stand so, else linear between rows. */
function resampled(times, values, from, to) {
  const rows = [];
  for (let row = 0; row < times.length; ++row) {
    if (times[row] < from || times[row] > to || !Number.isFinite(values[row])) continue;
    if (rows.length === 0 || times[row] > times[rows[rows.length - 1]]) rows.push(row);
  }
  if (rows.length < 8) return null;
  const begin = times[rows[0]];
  const span = times[rows[rows.length - 1]] - begin;
  const n = Math.min(most, rows.length);
  const step = span / (n - 1);
  const samples = new Float64Array(n);
  for (let k = 0, at = 0; k < n; ++k) {
    const t = begin + k * step;
    while (at + 2 < rows.length && times[rows[at + 1]] <= t) ++at;
    const [a, b] = [rows[at], rows[at + 1]];
    const s = Math.min(1, Math.max(0, (t - times[a]) / (times[b] - times[a])));
    samples[k] = values[a] + s * (values[b] - values[a]);
  }
  return { samples, step };
}

/** Points {x: Hz, y: amplitude}: a steady oscillation a sin(2 pi f t) has a peak of height a at f. The mean is taken off, the
 *  window is Hann's, zeros refine the frequencies fourfold. Empty if there are fewer than 8 rows. */
export function spectrum(times, values, from = -Infinity, to = Infinity) {
  const sampled = resampled(times, values, from, to);
  if (sampled === null) return [];
  const { samples, step } = sampled;
  const n = samples.length;
  const mean = samples.reduce((sum, value) => sum + value, 0) / n;
  let size = 1;
  while (size < 4 * n) size <<= 1;
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  let weight = 0;
  for (let k = 0; k < n; ++k) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / (n - 1));
    weight += window;
    re[k] = window * (samples[k] - mean);
  }
  transform(re, im);
  const points = [];
  const highest = Math.floor((size * 0.5 * (n - 1)) / n);
  for (let k = 0; k <= highest; ++k) points.push({ x: k / (size * step), y: (2 * Math.hypot(re[k], im[k])) / weight });
  return points;
}

/** At most about `count` points of a line whose peaks stay. */
export function peaksKept(points, count) {
  const group = Math.ceil(points.length / count);
  if (group <= 2) return points;
  const kept = [];
  for (let begin = 0; begin < points.length; begin += group) {
    const part = points.slice(begin, begin + group);
    const high = part.reduce((best, p) => (p.y > best.y ? p : best));
    const low = part.reduce((best, p) => (p.y < best.y ? p : best));
    kept.push(...(high.x < low.x ? [high, low] : high === low ? [high] : [low, high]));
  }
  return kept;
}
