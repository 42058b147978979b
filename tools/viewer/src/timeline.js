// Rows of a result and where a time falls between them.
export class Timeline {
  constructor(times) {
    this.times = times;
    this.start = times.length > 0 ? times[0] : 0;
    this.end = times.length > 0 ? times[times.length - 1] : 0;
  }

  // -> [row, part of the way to the next one]
  at(time) {
    const t = this.times;
    const last = t.length - 1;
    if (last <= 0 || time <= t[0]) return [0, 0];
    if (time >= t[last]) return [last, 0];
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle] <= time) low = middle;
      else high = middle;
    }
    return [low, (time - t[low]) / Math.max(1e-300, t[high] - t[low])];
  }
}

// A curve at a time, linear between its rows
export function valueAt(times, values, time) {
  let low = 0;
  let high = times.length - 1;
  if (time <= times[0]) return values[0];
  if (time >= times[high]) return values[high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return values[low] + ((values[high] - values[low]) * (time - times[low])) / Math.max(1e-300, times[high] - times[low]);
}
