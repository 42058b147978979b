import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, Mesh, Points } from 'three';
import { array } from './data.js';
import { texture } from './colour.js';
import * as materials from './materials.js';
import { Beams } from './parts.js';

function sizeOf(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  return points.length > 0 ? Math.hypot(...low.map((value, k) => high[k] - value)) : 1;
}

// A flexible body: nodes at rest, shapes, element edges and faces; the page draws rest + factor * disp.
export class FlexibleBody {
  constructor(data) {
    this.name = data.name;
    this.modes = data.modes;
    this.ids = array(data.ids);
    this.rest = array(data.rest);
    this.count = this.rest.length / 3;
    this.shapes = data.shapes;
    this.motion = data.motion ? array(data.motion) : null;
    this.zeta = data.zeta ? array(data.zeta) : null;
    this.rows = data.disp ? array(data.disp) : null;  // displacements row by row, instead of zeta
    this.fields = data.fields ?? [];
    this.places = new Map();
    this.ids.forEach((id, i) => this.places.set(id, i));
    this.disp = new Float32Array(this.rest.length);
    this.uniforms = materials.deformUniforms();
    this.group = new Group();
    this.size = sizeOf(this.rest);
    this.build(array(data.lines), array(data.tris), array(data.beams));
  }

  build(lines, triangles, pairs) {
    this.dispAttribute = new BufferAttribute(this.disp, 3).setUsage(DynamicDrawUsage);
    this.tintAttribute = new BufferAttribute(new Float32Array(this.count), 1).setUsage(DynamicDrawUsage);
    const rest = new BufferAttribute(this.rest, 3);
    const geometry = (index) => {
      const made = new BufferGeometry();
      made.setAttribute('position', rest);
      made.setAttribute('disp', this.dispAttribute);
      made.setAttribute('tint', this.tintAttribute);
      if (index) made.setIndex(new BufferAttribute(index, 1));
      return made;
    };
    const add = (object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order;
      this.group.add(object);
      return object;
    };
    this.hasFaces = triangles.length > 0;
    if (this.hasFaces) this.faces = add(new Mesh(geometry(triangles), materials.faces(this.uniforms)), 0);
    if (lines.length > 0) {
      this.edges = add(new LineSegments(geometry(lines), materials.edges(this.uniforms, false)), 1);
      this.wires = add(new LineSegments(geometry(lines), materials.edges(this.uniforms, true)), 1);
      this.ghost = add(new LineSegments(geometry(lines), materials.ghost()), 2);
    }
    if (pairs.length > 0) {
      this.beams = new Beams(pairs, this.rest, this.uniforms, 0.0035 * this.size);
      add(this.beams.mesh, 0);
      this.beamGhost = add(new LineSegments(geometry(pairs), materials.ghost()), 2);
    }
    this.dots = add(new Points(geometry(null), materials.points(this.uniforms, this.count > 5000 ? 2 : 6)), 1);
    this.show({ faces: true, ghost: true });
  }

  show({ faces, ghost, lines = true }) {
    const solid = this.hasFaces && faces;
    if (this.faces) this.faces.visible = solid;
    if (this.edges) this.edges.visible = solid && lines;
    if (this.wires) this.wires.visible = !solid;
    if (this.ghost) this.ghost.visible = ghost;
    if (this.beamGhost) this.beamGhost.visible = ghost;
    // a body of beams alone shows its nodes, a solid one does not need them
    this.dots.visible = !this.hasFaces;
  }

  // colouring: { component: 0..3, coloured: bool, field }, `peak` is the size that the map ends at
  colour({ component, coloured, field }, peak) {
    const given = field ? this.fields.find((each) => each.name === field) : null;
    this.uniforms.component.value = field ? 4 : component;
    this.uniforms.coloured.value = coloured && (given || !field) ? 1 : 0;
    this.uniforms.map.value = texture(component === 0 ? 'size' : 'signed');
    this.uniforms.gain.value = peak > 0 ? 1 / peak : 0;
    if (given) this.tint(given, this.range(given.name));
  }

  // Values of a field at the nodes; of shapes those of the shape that is shown
  valuesOf(field) {
    return array(field.values[field.each === 'mode' ? this.mode ?? 0 : 0]);
  }

  // { low, high } of the numbers of a field; of a logarithmic one over six decades at most
  range(name) {
    const field = this.fields.find((each) => each.name === name);
    if (!field) return null;
    let low = Infinity;
    let high = 0;
    for (const value of this.valuesOf(field)) {
      if (value > high) high = value;
      if (value > 0 && value < low) low = value;
    }
    return { low: field.scale === 'log' ? Math.max(low, 1e-6 * high) : 0, high };
  }

  tint(field, { low, high }) {
    const tints = this.tintAttribute.array;
    const log = field.scale === 'log';
    const span = log ? Math.log(high / low) : high;
    this.valuesOf(field).forEach((value, i) => {
      if (!Number.isFinite(value)) tints[i] = -1;
      else if (log) tints[i] = value > 0 && span > 0 ? Math.max(0, Math.log(value / low) / span) : value > 0 ? 1 : 0;
      else tints[i] = span > 0 ? value / span : 0;
    });
    this.tintAttribute.needsUpdate = true;
    this.beams?.spreadTint(tints);
  }

  setMode(index) {
    this.mode = index;
    this.disp.set(array(this.shapes[index]));
    this.moved();
  }

  setFactor(factor) {
    this.uniforms.factor.value = factor;
  }

  // largest |disp|, or largest part of one direction
  peak(component = 0) {
    let most = 0;
    const d = this.disp;
    for (let i = 0; i < d.length; i += 3) {
      const size = component === 0 ? d[i] * d[i] + d[i + 1] * d[i + 1] + d[i + 2] * d[i + 2] : d[i + component - 1] ** 2;
      if (size > most) most = size;
    }
    return Math.sqrt(most);
  }

  // Rows i and i+1 of a motion, a part f between them.
  setRow(i, f) {
    if (this.rows) {
      const width = this.disp.length;
      const next = (i + 2) * width <= this.rows.length ? i + 1 : i;
      for (let k = 0; k < width; k++) this.disp[k] = this.rows[i * width + k] * (1 - f) + this.rows[next * width + k] * f;
    } else if (this.zeta && this.modes.length > 0) this.rowOf(i, f);
    else return;
    this.moved();
  }

  moved() {
    this.dispAttribute.needsUpdate = true;
    this.beams?.spread(this.disp, 'disp');
  }

  rowOf(i, f) {
    const modes = this.modes.length;
    const next = (i + 1) * modes + modes <= this.zeta.length ? i + 1 : i;
    const weights = [];
    let total = 0;
    for (let j = 0; j < modes; j++) {
      const weight = this.zeta[i * modes + j] * (1 - f) + this.zeta[next * modes + j] * f;
      const size = Math.abs(weight) * this.sizeOf(j);
      total = Math.max(total, size);
      weights.push([j, weight, size]);
    }
    this.disp.fill(0);
    for (const [j, weight, size] of weights) {
      if (size <= 1e-5 * total) continue;  // cannot be seen
      const shape = array(this.shapes[j]);
      for (let k = 0; k < shape.length; k++) this.disp[k] += weight * shape[k];
    }
  }

  sizeOf(j) {
    this.sizes ??= [];
    if (this.sizes[j] === undefined) {
      let most = 0;
      for (const value of array(this.shapes[j])) most = Math.max(most, Math.abs(value));
      this.sizes[j] = most;
    }
    return this.sizes[j];
  }

  // Motion of one node over all rows, in the axes of the body [m]
  history(node) {
    if (this.rows) {
      const width = this.disp.length;
      return [0, 1, 2].map((k) => Float32Array.from({ length: this.rows.length / width }, (_, r) => this.rows[r * width + 3 * node + k]));
    }
    const modes = this.modes.length;
    const rows = this.zeta && modes > 0 ? this.zeta.length / modes : 0;
    const out = [new Float32Array(rows), new Float32Array(rows), new Float32Array(rows)];
    for (let j = 0; j < modes; j++) {
      const shape = array(this.shapes[j]);
      for (let k = 0; k < 3; k++) {
        const weight = shape[3 * node + k];
        if (weight === 0) continue;
        for (let r = 0; r < rows; r++) out[k][r] += weight * this.zeta[r * modes + j];
      }
    }
    return out;
  }
}
