import { digits } from './data.js';
import { valueAt } from './timeline.js';

const inks = ['--ink-a', '--ink-b', '--ink-c', '--ink-d'];

function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? power;
  const out = [];
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step; t += step) out.push(Math.abs(t) < 1e-9 * step ? 0 : t);
  return out.length > 1 ? out : ticks(low, high, 2 * count); // one tick is no scale
}

const cells = 32;  // of a matrix in each direction

// Range over mean, both in `cells` steps; the number of cycles of a cell on a logarithmic scale.
function drawCycles(pen, plot, width, height, style) {
  const { ranges, means, counts } = plot.cycles;
  const most = Math.max(...ranges, 1e-300);
  let low = Math.min(...means);
  let high = Math.max(...means);
  if (!(high > low)) [low, high] = [low - 0.5 * most, low + 0.5 * most];
  const matrix = new Float64Array(cells * cells);
  let peak = 0;
  let sum = 0;
  ranges.forEach((range, i) => {
    const row = Math.min(cells - 1, Math.floor((range / most) * cells));
    const column = Math.min(cells - 1, Math.floor(((means[i] - low) / (high - low)) * cells));
    matrix[row * cells + column] += counts[i];
    peak = Math.max(peak, matrix[row * cells + column]);
    sum += counts[i];
  });
  const area = { left: 58, top: 4, width: width - 66, height: height - 22 };
  pen.fillStyle = style.getPropertyValue('--ink-a');
  matrix.forEach((count, i) => {
    if (count <= 0) return;
    pen.globalAlpha = peak > 0.5 ? 0.3 + (0.7 * Math.log(count / 0.5)) / Math.log(peak / 0.5) : 1;
    const x = area.left + ((i % cells) / cells) * area.width;
    const y = area.top + (1 - (Math.floor(i / cells) + 1) / cells) * area.height;
    pen.fillRect(x, y, Math.max(2, area.width / cells), Math.max(2, area.height / cells));
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = style.getPropertyValue('--line');
  pen.strokeRect(area.left, area.top, area.width, area.height);
  pen.fillStyle = style.getPropertyValue('--quiet');
  pen.font = '11px system-ui, sans-serif';
  pen.textAlign = 'right';
  pen.textBaseline = 'top';
  pen.fillText(digits(most, 3), area.left - 5, area.top);
  pen.textBaseline = 'bottom';
  pen.fillText('0', area.left - 5, area.top + area.height);
  pen.textBaseline = 'top';
  pen.textAlign = 'left';
  pen.fillText('mean ' + digits(low, 3), area.left, area.top + area.height + 4);
  pen.textAlign = 'right';
  pen.fillText(digits(high, 3) + ' Pa', area.left + area.width, area.top + area.height + 4);
  plot.now.textContent = `${digits(sum, 5)} cycles, largest range ${digits(most, 3)} Pa`;
}

// Curves over time that share a time axis and a cursor with the picture.
export class Plots {
  constructor(host, seek) {
    this.host = host;
    this.seek = seek;
    this.list = [];
  }

  // curves: [{ label, times, values, dashed }]
  add(name, unit, curves, key = name) {
    if (this.list.some((plot) => plot.key === key)) return;
    const box = document.createElement('figure');
    box.innerHTML = '<figcaption><span class="name"></span><output></output><button type="button" aria-label="remove this plot">×</button></figcaption><canvas></canvas>';
    box.querySelector('.name').textContent = unit ? `${name} [${unit}]` : name;
    const plot = { key, name, unit, curves, box, canvas: box.querySelector('canvas'), now: box.querySelector('output') };
    box.querySelector('button').onclick = () => this.remove(key);
    const point = (event) => {
      const r = plot.canvas.getBoundingClientRect();
      if (plot.area) this.seek(plot.area.t0 + ((event.clientX - r.left - plot.area.left) / plot.area.width) * (plot.area.t1 - plot.area.t0));
    };
    plot.canvas.onpointerdown = (event) => { plot.canvas.setPointerCapture(event.pointerId); point(event); };
    plot.canvas.onpointermove = (event) => { if (event.buttons) point(event); };
    this.host.append(box);
    this.list.push(plot);
    this.redraw();  // a further column narrows the others
  }

  // cycles: { ranges, means, counts } of cells; drawn as squares, darker for more
  addMatrix(name, cycles, key) {
    if (this.list.some((plot) => plot.key === key)) return;
    const box = document.createElement('figure');
    box.innerHTML = '<figcaption><span class="name"></span><output></output><button type="button" aria-label="remove this plot">×</button></figcaption><canvas></canvas>';
    box.querySelector('.name').textContent = name;
    box.querySelector('button').onclick = () => this.remove(key);
    this.host.append(box);
    this.list.push({ key, name, cycles, curves: [], box, canvas: box.querySelector('canvas'), now: box.querySelector('output') });
    this.redraw();
  }

  remove(key) {
    for (const plot of this.list.filter((each) => each.key === key)) plot.box.remove();
    this.list = this.list.filter((each) => each.key !== key);
    this.redraw();
  }

  redraw() {
    for (const plot of this.list) this.draw(plot);
    if (this.time !== undefined) this.cursor(this.time);
  }

  draw(plot) {
    const style = getComputedStyle(document.documentElement);
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(60, plot.canvas.clientWidth);
    const height = Math.max(40, plot.canvas.clientHeight);
    plot.canvas.width = Math.round(width * ratio);
    plot.canvas.height = Math.round(height * ratio);
    const pen = plot.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    if (plot.cycles) return drawCycles(pen, plot, width, height, style);
    let t0 = Infinity, t1 = -Infinity, low = Infinity, high = -Infinity;
    for (const { times, values } of plot.curves) {
      t0 = Math.min(t0, times[0]);
      t1 = Math.max(t1, times[times.length - 1]);
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!(t1 > t0)) t1 = t0 + 1;
    if (!(high >= low)) { low = 0; high = 1; }
    const slack = high > low ? 0.06 * (high - low) : Math.max(1e-9, 0.05 * Math.abs(high));
    low -= slack;
    high += slack;
    const area = { left: 58, top: 4, width: width - 66, height: height - 22, t0, t1, low, high };
    plot.area = area;
    const px = (t) => area.left + ((t - t0) / (t1 - t0)) * area.width;
    const py = (v) => area.top + (1 - (v - low) / (high - low)) * area.height;
    pen.font = '11px system-ui, sans-serif';
    pen.strokeStyle = style.getPropertyValue('--line');
    pen.fillStyle = style.getPropertyValue('--quiet');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const v of ticks(low, high, Math.max(2, height / 32))) {
      pen.moveTo(area.left, py(v));
      pen.lineTo(area.left + area.width, py(v));
      pen.fillText(digits(v, 3), area.left - 5, py(v));
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (const t of ticks(t0, t1, width / 90)) {
      pen.moveTo(px(t), area.top);
      pen.lineTo(px(t), area.top + area.height);
      pen.fillText(digits(t, 3), px(t), area.top + area.height + 4);
    }
    pen.stroke();
    plot.curves.forEach((curve, k) => {
      pen.strokeStyle = style.getPropertyValue(inks[k % inks.length]);
      pen.lineWidth = 1.6;
      pen.setLineDash(curve.dashed ? [6, 4] : []);
      pen.beginPath();
      curve.values.forEach((v, i) => pen.lineTo(px(curve.times[i]), py(v)));
      pen.stroke();
    });
    pen.setLineDash([]);
    plot.still = pen.getImageData(0, 0, plot.canvas.width, plot.canvas.height);
  }

  cursor(time) {
    this.time = time;
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink');
    for (const plot of this.list) {
      if (!plot.still) continue;
      const ratio = window.devicePixelRatio || 1;
      const pen = plot.canvas.getContext('2d');
      pen.putImageData(plot.still, 0, 0);
      const { area } = plot;
      const x = area.left + ((time - area.t0) / (area.t1 - area.t0)) * area.width;
      pen.strokeStyle = ink;
      pen.lineWidth = 1 / ratio;
      pen.beginPath();
      pen.moveTo(x, area.top);
      pen.lineTo(x, area.top + area.height);
      pen.stroke();
      plot.now.textContent = plot.curves
        .map(({ label, times, values }) => (label ? label + ' ' : '') + digits(valueAt(times, values, time)))
        .join('   ');
    }
  }
}

// What is worth seeing first: the place that moves most, and the energy.
export function firstChannels(view) {
  const rows = view.plotTimes.length;
  const span = (c) => {
    let low = Infinity, high = -Infinity;
    for (let r = 0; r < rows; r++) {
      const v = view.values[c * rows + r];
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return high - low;
  };
  const widest = (fits) => {
    let best = -1, most = 0;
    view.channels.forEach((channel, c) => {
      if (!fits(channel.name)) return;
      const s = span(c);
      if (s > most) { most = s; best = c; }
    });
    return best;
  };
  const out = [widest((name) => /(displacement|position|angle)(\/|$)/.test(name)), widest((name) => name.startsWith('energy/'))];
  if (out[0] < 0) out[0] = widest((name) => !name.startsWith('energy/'));
  return [...new Set(out.filter((c) => c >= 0))].map((c) => view.channels[c].name);
}
