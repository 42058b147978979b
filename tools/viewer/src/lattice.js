import { Box3, Color, Group, Vector3 } from 'three';
import { array, digits } from './data.js';
import * as parts from './parts.js';
import { Timeline } from './timeline.js';

// Point masses on springs, the springs coloured by force or energy.
export class LatticeView {
  constructor(data) {
    this.title = data.title;
    this.kind = 'lattice';
    this.planar = data.planar === true;
    this.notes = data.notes ?? [];
    this.time = new Timeline(array(data.times));
    this.channels = data.channels ?? [];
    this.plotTimes = array(data.plotTimes);
    this.values = data.values ? array(data.values) : new Float32Array(0);
    this.ids = array(data.ids);
    this.count = this.ids.length;
    this.positions = array(data.positions);
    this.held = array(data.held);
    this.pairs = array(data.pairs);
    this.springs = this.pairs.length / 2;
    this.force = data.force ? array(data.force) : null;
    this.energy = data.energy ? array(data.energy) : null;
    this.factor = 1;
    this.group = new Group();
    this.now = new Float32Array(3 * this.count);
    this.box = new Box3().setFromArray(this.positions);
    this.size = Math.max(1e-9, this.box.getSize(new Vector3()).length());
    const length = this.usualLength();
    this.sticks = parts.sticks(this.springs, 'signed');
    this.sticks.thick.array.fill(Math.min(0.05 * length, 0.007 * this.size));
    const radius = Math.min(0.13 * length, 0.014 * this.size);
    this.balls = parts.balls(this.count, 'signed');
    this.balls.thick.array.fill(radius);
    this.supports = [...this.held.keys()].filter((i) => this.held[i]);
    this.holds = parts.balls(this.supports.length, 'signed', { value: new Color('#d9a400') });
    this.holds.thick.array.fill(1.35 * radius);
    this.ghost = parts.sticks(this.springs, 'signed');
    this.ghost.thick.array.fill(0.12 * this.sticks.thick.array[0]);
    this.frame(0, 0);
    for (let s = 0; s < this.springs; s++) this.ghost.ends(s, ...this.at(this.pairs[2 * s]), ...this.at(this.pairs[2 * s + 1]));
    this.group.add(this.sticks.mesh, this.balls.mesh, this.ghost.mesh);
    if (this.supports.length > 0) this.group.add(this.holds.mesh);
    this.what = this.force ? 'force' : 'none';
    this.setTime(this.time.start);
  }

  usualLength() {
    const p = this.positions;
    const lengths = [];
    for (let s = 0; s < this.springs; s += Math.max(1, Math.floor(this.springs / 200))) {
      const i = 3 * this.pairs[2 * s];
      const j = 3 * this.pairs[2 * s + 1];
      lengths.push(Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]));
    }
    lengths.sort((a, b) => a - b);
    return lengths.length > 0 ? lengths[lengths.length >> 1] : 0.1 * this.size;
  }

  at(i) {
    return [this.now[3 * i], this.now[3 * i + 1], this.now[3 * i + 2]];
  }

  frame(row, f) {
    const width = 3 * this.count;
    const next = (row + 2) * width <= this.positions.length ? row + 1 : row;
    for (let k = 0; k < width; k++) this.now[k] = this.positions[row * width + k] * (1 - f) + this.positions[next * width + k] * f;
    if (this.factor !== 1)
      for (let k = 0; k < width; k++) this.now[k] = this.positions[k] + this.factor * (this.now[k] - this.positions[k]);
  }

  setTime(time) {
    const [row, f] = this.time.at(time);
    this.frame(row, f);
    const values = this.what === 'none' ? null : this[this.what];
    const next = values && (row + 2) * this.springs <= values.length ? row + 1 : row;
    const n = this.now;
    for (let s = 0; s < this.springs; s++) {
      const i = 3 * this.pairs[2 * s];
      const j = 3 * this.pairs[2 * s + 1];
      this.sticks.ends(s, n[i], n[i + 1], n[i + 2], n[j], n[j + 1], n[j + 2]);
      let tint = -2;
      if (values) {
        const value = values[row * this.springs + s] * (1 - f) + values[next * this.springs + s] * f;
        // a broken spring has no force: it is not a number, and is not drawn
        if (Number.isNaN(value)) tint = this.what === 'force' ? -9 : -2;
        else if (this.peak > 0) tint = this.what === 'force' ? 0.5 + (0.5 * value) / this.peak : value / this.peak;
        else tint = this.what === 'force' ? 0.5 : 0;
      }
      this.sticks.tint.array[s] = tint;
    }
    for (let i = 0; i < this.count; i++) this.balls.ends(i, n[3 * i], n[3 * i + 1], n[3 * i + 2], 0, 0, 0);
    this.supports.forEach((i, k) => this.holds.ends(k, ...this.at(i), 0, 0, 0));
    this.holds.changed();
    this.sticks.changed();
    this.balls.changed();
  }

  setColour(choice, common) {
    this.what = choice.what === 'energy' && this.energy ? 'energy' : choice.coloured && this.force ? 'force' : 'none';
    this.peak = this.what === 'none' ? 0 : common ? common[this.what] : this.peakOf(this.what);
    this.sticks.mesh.material.uniforms.map.value = parts.mapOf(this.what === 'energy' ? 'size' : 'signed');
    return { peak: this.peak, unit: this.what === 'energy' ? 'J' : 'N', signed: this.what === 'force' };
  }

  peakOf(what) {
    let peak = 0;
    for (const value of this[what] ?? []) if (Math.abs(value) > peak) peak = Math.abs(value);
    return peak;
  }

  groups() {
    return [['springs', [this.sticks.mesh]], ['masses', [this.balls.mesh]], ['supports', [this.holds.mesh]]].filter(([, meshes]) => meshes[0].geometry.instanceCount > 0);
  }

  show({ ghost }) {
    this.ghost.mesh.visible = ghost;
  }

  bounds() {
    return this.box.clone().expandByScalar(0.04 * this.size);
  }

  pickable() {
    return [{ count: this.count, ids: this.ids, place: (i, out) => out.set(...this.at(i)) }];
  }

  tell(picked) {
    const now = this.at(picked.node);
    const start = [...this.positions.subarray(3 * picked.node, 3 * picked.node + 3)];
    return [
      ['position', now.map((v) => digits(v)).join(', ') + ' m'],
      ['moved', now.map((v, k) => digits(v - start[k], 3)).join(', ') + ' m'],
      ...(this.held[picked.node] ? [['held', 'yes']] : []),
    ];
  }

  curves(picked) {
    const rows = this.time.times.length;
    return [0, 1, 2].slice(0, this.planar ? 2 : 3).map((k) => ({
      name: `position ${'xyz'[k]}`, unit: 'm',
      values: Float32Array.from({ length: rows }, (_, r) => this.positions[3 * (r * this.count + picked.node) + k]),
    }));
  }
}
