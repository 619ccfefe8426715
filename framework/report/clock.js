// The time that animation and plots share.

/** A page that stood still, in another tab or on a busy machine, goes on from where it was; ms. */
const longestFrame = 250;

export class Clock {
  /** From `start` to `end`, s. */
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.t = start;
    this.speed = 1;
    this.playing = false;
    this.listeners = [];
  }

  /** `listener(clock)` after every change. */
  listen(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  tell() {
    for (const listener of this.listeners) listener(this);
  }

  set(t) {
    this.t = Math.min(this.end, Math.max(this.start, t));
    this.tell();
  }

  play(playing) {
    if (playing === this.playing || this.end <= this.start) return;
    this.playing = playing;
    if (playing && this.t >= this.end) this.t = this.start;
    this.tell();
    if (!playing) return;
    let before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      this.t += (Math.min(now - before, longestFrame) / 1000) * this.speed;
      before = now;
      if (this.t > this.end) this.t = this.loops ? this.start : this.end;
      if (this.t >= this.end && !this.loops) this.playing = false;
      this.tell();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time where that takes 3 to 40 s to watch, else the nearest that does. */
export function fittingSpeeds(duration) {
  let chosen = 1;
  if (duration > 0 && (duration < 3 || duration > 40)) {
    const wanted = duration < 3 ? duration / 6 : duration / 30;
    chosen = speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
  }
  return { speeds, chosen };
}
