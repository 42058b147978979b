import {
  Box3, BoxGeometry, CylinderGeometry, GridHelper, Group, Mesh, MeshLambertMaterial, OctahedronGeometry, Quaternion,
  SphereGeometry, TorusGeometry, Vector3,
} from 'three';
import { FlexibleBody } from './body.js';
import { Contacts } from './contacts.js';
import { array, digits } from './data.js';
import { fieldLegend, fieldTexts } from './fields.js';
import * as parts from './parts.js';
import { Timeline, valueAt } from './timeline.js';

const palette = ['#4f86c6', '#c98a3c', '#5a9e6f', '#9a6fb0', '#c0605f', '#5fa3a8', '#8d8a4d', '#7a7f8a'];
const slides = new Set(['prismatic', 'point-on-line', 'point-on-plane']);
const jointColour = '#d9a400';

const vector = (list) => new Vector3(list[0], list[1], list[2]);

// A body of a system: where its frame is over time, and what is drawn in that frame.
class Part {
  constructor(data, index, scale) {
    this.name = data.name;
    this.group = new Group();
    this.motion = data.motion ? array(data.motion) : null;
    this.still = !this.motion;
    this.a = new Quaternion();
    this.b = new Quaternion();
    if (data.at) this.group.position.copy(vector(data.at));
    if (data.turn) this.group.quaternion.set(data.turn[1], data.turn[2], data.turn[3], data.turn[0]);
    this.flex = data.rest ? new FlexibleBody(data) : null;
    this.colour = palette[index % palette.length];
    if (this.flex) this.group.add(this.flex.group);
    else this.solid(data, scale);
    this.group.updateMatrixWorld();
  }

  solid(data, scale) {
    this.corners = [new Vector3()];
    const bars = data.bars ?? [];
    const material = new MeshLambertMaterial({ color: this.colour });
    if (data.box) {
      const [x, y, z] = data.box.size.map((v) => Math.max(v, 0.01 * scale));
      const seen = bars.length > 0 ? new MeshLambertMaterial({ color: this.colour, transparent: true, opacity: 0.55 }) : material;
      const box = new Mesh(new BoxGeometry(x, y, z), seen);
      box.position.copy(vector(data.box.centre));
      box.quaternion.set(data.box.turn[1], data.box.turn[2], data.box.turn[3], data.box.turn[0]);
      this.group.add(box);
      box.updateMatrix();
      for (let k = 0; k < 8; k++)
        this.corners.push(new Vector3(((k & 1) - 0.5) * x, (((k >> 1) & 1) - 0.5) * y, (((k >> 2) & 1) - 0.5) * z).applyMatrix4(box.matrix));
    }
    const thick = (data.box ? 0.004 : 0.012) * scale;
    for (const [p, q] of bars) {
      const from = vector(p);
      const along = vector(q).sub(from);
      const bar = new Mesh(new CylinderGeometry(thick, thick, along.length(), 14), material);
      bar.position.copy(from).addScaledVector(along, 0.5);
      bar.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.clone().normalize());
      this.group.add(bar);
      for (const end of [from, vector(q)]) {
        const cap = new Mesh(new SphereGeometry(thick, 14, 10), material);
        cap.position.copy(end);
        this.group.add(cap);
        this.corners.push(end);
      }
    }
    if (!data.box && bars.length === 0) this.group.add(new Mesh(new SphereGeometry(0.025 * scale, 18, 12), material));
  }

  setRow(i, f) {
    const m = this.motion;
    if (m) {
      const next = 7 * (i + 1) + 6 < m.length ? i + 1 : i;
      const p = 7 * i;
      const q = 7 * next;
      this.group.position.set(m[p] + (m[q] - m[p]) * f, m[p + 1] + (m[q + 1] - m[p + 1]) * f, m[p + 2] + (m[q + 2] - m[p + 2]) * f);
      this.a.set(m[p + 4], m[p + 5], m[p + 6], m[p + 3]);
      this.b.set(m[q + 4], m[q + 5], m[q + 6], m[q + 3]);
      this.group.quaternion.copy(this.a.slerp(this.b, f));
    }
    this.flex?.setRow(i, f);
    this.group.updateMatrixWorld();
  }

  nodeInBody(node, factor, out) {
    const { rest, disp } = this.flex;
    return out.set(rest[3 * node] + factor * disp[3 * node], rest[3 * node + 1] + factor * disp[3 * node + 1], rest[3 * node + 2] + factor * disp[3 * node + 2]);
  }
}

const wheelBolts = 6;
const farWay = 3;  // of its own size: a vehicle that goes farther is followed

// Playback of a system: rigid and flexible bodies, joints, springs, wheels.
export class MotionView {
  constructor(data) {
    this.title = data.title;
    this.kind = 'motion';
    this.planar = data.planar === true;
    this.notes = data.notes ?? [];
    this.time = new Timeline(array(data.times));
    this.channels = data.channels ?? [];
    this.plotTimes = array(data.plotTimes);
    this.values = data.values ? array(data.values) : new Float32Array(0);
    this.group = new Group();
    this.factor = 1;
    this.spots = data.spots ?? [];
    const scale = data.scale ?? 1;
    this.scale = scale;
    // the box of a wheel's inertia would hide the wheel
    const carriers = new Set((data.wheels ?? []).map((wheel) => wheel.on.body));
    this.parts = data.bodies.map((body, i) => new Part(carriers.has(body.name) ? { ...body, box: undefined } : body, i, scale));
    this.byName = new Map(this.parts.map((part) => [part.name, part]));
    for (const part of this.parts) this.group.add(part.group);
    this.joints = (data.joints ?? []).map((joint) => this.joint(joint, scale));
    this.springs = data.springs ?? [];
    this.coils = parts.coils(this.springs.length, 'signed');
    this.coils.thick.array.fill(0.022 * scale);
    if (this.springs.length > 0) this.group.add(this.coils.mesh);
    this.links = data.links ?? [];
    this.rods = parts.sticks(this.links.length, 'signed');
    this.rods.thick.array.fill(0.007 * scale);
    if (this.links.length > 0) this.group.add(this.rods.mesh);
    this.bushings = data.bushings ?? [];
    this.blocks = parts.balls(this.bushings.length, 'signed');
    this.blocks.thick.array.fill(0.016 * scale);
    if (this.bushings.length > 0) this.group.add(this.blocks.mesh);
    this.wheels = (data.wheels ?? []).map((wheel) => this.wheel(wheel));
    this.forces = [...this.springs, ...this.bushings].map((each) => this.forceOf(each));
    this.forcePeak = Math.max(0, ...this.forces.map((force) => (force ? force.peak : 0)));
    if (this.wheels.length > 0) {
      this.contacts = new Contacts(this);
      this.group.add(this.contacts.arrows, this.contacts.tracks);
    }
    this.setRow(0, 0);
    this.bound = this.wholeBounds();
    this.carrier = this.findCarrier();
    this.floor();
  }

  // A recorded channel at the times of the picture
  channel(name) {
    const at = this.channels.findIndex((each) => each.name === name);
    if (at < 0) return null;
    const rows = this.plotTimes.length;
    const values = this.values.subarray(at * rows, (at + 1) * rows);
    return Float32Array.from(this.time.times, (time) => valueAt(this.plotTimes, values, time));
  }

  // The pull of a spring over time: its recorded value, or stiffness times elongation.
  forceOf(spring) {
    const rows = this.time.times.length;
    let values = this.channel(spring.name + '/value');
    if (!values) {
      const xyz = ['x', 'y', 'z'].map((axis) => this.channel(`${spring.name}/force/${axis}`));
      if (xyz.every(Boolean)) values = Float32Array.from({ length: rows }, (_, r) => Math.hypot(xyz[0][r], xyz[1][r], xyz[2][r]));
    }
    if (!values && spring.stiffness > 0 && spring.length !== undefined) {
      const a = new Vector3();
      const b = new Vector3();
      values = new Float32Array(rows);
      for (let r = 0; r < rows; r++) {
        this.moveParts(r, 0);
        values[r] = spring.stiffness * (this.placeOf(spring.a, a).distanceTo(this.placeOf(spring.b, b)) - spring.length);
      }
    }
    if (!values) return null;
    let peak = 0;
    for (const value of values) peak = Math.max(peak, Math.abs(value));
    return { values, peak };
  }

  joint(data, scale) {
    const size = 0.02 * scale;
    let shape = new OctahedronGeometry(1.1 * size);
    if (['revolute', 'cylindrical', 'screw'].includes(data.type)) shape = new CylinderGeometry(size, size, 2.6 * size, 20);
    else if (['spherical', 'universal', 'constant-velocity'].includes(data.type)) shape = new SphereGeometry(1.1 * size, 18, 12);
    else if (['prismatic', 'planar'].includes(data.type)) shape = new BoxGeometry(1.6 * size, 5 * size, 1.6 * size);
    else if (data.type === 'fixed') shape = new BoxGeometry(1.8 * size, 1.8 * size, 1.8 * size);
    const mesh = new Mesh(shape, new MeshLambertMaterial({ color: jointColour }));
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), vector(data.axis ?? [0, 0, 1]).normalize());
    this.group.add(mesh);
    return { ...data, mesh, turn: mesh.quaternion.clone() };
  }

  wheel(data) {
    const width = 0.22 * data.radius;
    const mesh = new Mesh(
      new TorusGeometry(data.radius - width, width, 14, 40).rotateX(Math.PI / 2), new MeshLambertMaterial({ color: '#3a3f46' }),
    );
    const hub = new Mesh(new CylinderGeometry(0.55 * data.radius, 0.55 * data.radius, 1.2 * width, 24), new MeshLambertMaterial({ color: '#9aa3ad' }));
    mesh.add(hub);
    // bolts, by which the eye sees that it turns
    for (let k = 0; k < wheelBolts; k++) {
      const angle = (2 * Math.PI * k) / wheelBolts;
      const bolt = new Mesh(new CylinderGeometry(0.09 * data.radius, 0.09 * data.radius, 1.5 * width, 10), new MeshLambertMaterial({ color: k === 0 ? '#d4380d' : '#3a3f46' }));
      bolt.position.set(0.38 * data.radius * Math.cos(angle), 0, 0.38 * data.radius * Math.sin(angle));
      hub.add(bolt);
    }
    this.group.add(mesh);
    return { ...data, mesh };
  }

  // What the camera may follow: the frame of a vehicle with wheels that goes far
  findCarrier() {
    const way = this.bound.getSize(new Vector3());
    if (this.wheels.length === 0 || Math.max(way.x, way.y) < farWay * this.startSize) return null;
    return this.parts.find((part) => part.flex) ?? this.parts[0];
  }

  // Where the followed body is
  carrierPlace(out) {
    return this.carrier ? out.setFromMatrixPosition(this.carrier.group.matrixWorld) : out.set(0, 0, 0);
  }

  // Box around what moves, at the time shown
  boxNow() {
    const box = this.boxAt(this.row[0]);
    this.setRow(...this.row);
    return box;
  }

  // Box around what moves, at one row
  boxAt(row) {
    const box = new Box3();
    const point = new Vector3();
    this.moveParts(row, 0);
    for (const wheel of this.wheels) {
      this.placeOf(wheel.on, point);
      box.expandByPoint(point.clone().addScalar(wheel.radius));
      box.expandByPoint(point.addScalar(-wheel.radius));
    }
    for (const part of this.parts) {
      if (part.flex) {
        const every = Math.max(1, Math.floor(part.flex.count / 500));
        for (let i = 0; i < part.flex.count; i += every) box.expandByPoint(part.nodeInBody(i, 1, point).applyMatrix4(part.group.matrixWorld));
      } else for (const corner of part.corners) box.expandByPoint(point.copy(corner).applyMatrix4(part.group.matrixWorld));
    }
    return box;
  }

  // World position of a place on a body
  placeOf(place, out) {
    const part = this.byName.get(place.body);
    if (!part) return out.copy(vector(place.at));
    const node = place.node === undefined ? undefined : part.flex?.places.get(place.node);
    if (node !== undefined) {
      part.nodeInBody(node, this.factor, out);
      out.add(vector(place.at));
    } else out.copy(vector(place.at));
    return out.applyMatrix4(part.group.matrixWorld);
  }

  moveParts(i, f) {
    for (const part of this.parts) part.setRow(i, f);
  }

  setRow(i, f) {
    this.moveParts(i, f);
    const a = new Vector3();
    const b = new Vector3();
    for (const joint of this.joints) {
      // what slides is seen on the slider, in the axes of its guide
      this.placeOf(slides.has(joint.type) ? joint.b : joint.a, joint.mesh.position);
      const part = this.byName.get(joint.a.body);
      joint.mesh.quaternion.copy(joint.turn);
      if (part) joint.mesh.quaternion.premultiply(part.group.quaternion);
    }
    for (const wheel of this.wheels) {
      this.placeOf(wheel.on, wheel.mesh.position);
      const part = this.byName.get(wheel.on.body);
      if (part) wheel.mesh.quaternion.copy(part.group.quaternion);
    }
    this.springs.forEach((spring, k) => {
      this.placeOf(spring.a, a);
      this.placeOf(spring.b, b);
      this.coils.ends(k, a.x, a.y, a.z, b.x, b.y, b.z);
      this.coils.tint.array[k] = this.tint(k, i, f);
    });
    this.coils.changed();
    this.links.forEach((link, k) => {
      this.placeOf(link.a, a);
      this.placeOf(link.b, b);
      this.rods.ends(k, a.x, a.y, a.z, b.x, b.y, b.z);
    });
    this.rods.changed();
    this.bushings.forEach((bushing, k) => {
      this.placeOf(bushing.a, a);
      this.blocks.ends(k, a.x, a.y, a.z, a.x, a.y, a.z);
      this.blocks.tint.array[k] = this.tint(this.springs.length + k, i, f);
    });
    this.blocks.changed();
    this.contacts?.setRow(i, f);
    this.row = [i, f];
  }

  tint(k, i, f) {
    const force = this.forces?.[k];
    if (!force || !(this.forcePeak > 0)) return -2;
    const next = Math.min(i + 1, force.values.length - 1);
    return 0.5 + (0.5 * (force.values[i] * (1 - f) + force.values[next] * f)) / this.forcePeak;
  }

  setTime(time) {
    const [i, f] = this.time.at(time);
    for (const part of this.parts) part.flex?.setFactor(this.factor);
    this.setRow(i, f);
  }

  // Box around all that moves, over the whole time
  wholeBounds() {
    const box = new Box3();
    const point = new Vector3();
    const rows = this.time.times.length;
    const step = Math.max(1, Math.floor(rows / 60));
    this.flexPeak = 0;
    this.startSize = this.boxAt(0).getSize(point).length();
    for (let r = 0; r < rows; r += step) {
      this.moveParts(r, 0);
      for (const part of this.parts) {
        if (part.flex) {
          const every = Math.max(1, Math.floor(part.flex.count / 500));
          for (let i = 0; i < part.flex.count; i += every) box.expandByPoint(part.nodeInBody(i, 1, point).applyMatrix4(part.group.matrixWorld));
          this.flexPeak = Math.max(this.flexPeak, part.flex.peak());
        } else for (const corner of part.corners) box.expandByPoint(point.copy(corner).applyMatrix4(part.group.matrixWorld));
      }
      for (const wheel of this.wheels) {
        this.placeOf(wheel.on, point);
        box.expandByPoint(point.clone().addScalar(wheel.radius));
        box.expandByPoint(point.addScalar(-wheel.radius));
      }
      for (const each of [...this.springs, ...this.joints]) {
        box.expandByPoint(this.placeOf(each.a, point));
        if (each.b) box.expandByPoint(this.placeOf(each.b, point));
      }
    }
    this.moveParts(0, 0);
    if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
    return box;
  }

  floor() {
    const size = this.bound.getSize(new Vector3());
    const wide = Math.max(size.x, size.y, size.z, 1e-6);
    const cell = 10 ** Math.floor(Math.log10(wide / 3));
    const cells = 2 * Math.ceil((0.75 * wide) / cell);
    const grid = new GridHelper(cells * cell, cells, '#8a94a0', '#8a94a0');
    grid.material.transparent = true;
    grid.material.opacity = 0.28;
    grid.material.depthWrite = false;
    grid.rotation.x = Math.PI / 2;
    const centre = this.bound.getCenter(new Vector3());
    grid.position.set(Math.round(centre.x / cell) * cell, Math.round(centre.y / cell) * cell, this.bound.min.z - 0.002 * wide);
    this.group.add(grid);
    this.grid = grid;
  }

  bounds() {
    return this.bound.clone();
  }

  // `common`: the peak that both of two pictures end at, so that their colours compare
  setColour(choice, common) {
    let most = common?.flexPeak ?? this.flexPeak;
    let unit = 'm';
    for (const part of this.parts) part.flex?.colour(choice, most);
    if (choice.field) return fieldLegend(this.parts.map((part) => part.flex).filter(Boolean), choice.field);
    const hasFlex = this.parts.some((part) => part.flex);
    if (!hasFlex && this.forcePeak > 0) {
      most = this.forcePeak;
      unit = 'N';
    }
    return { peak: hasFlex || this.forcePeak > 0 ? most : 0, unit, signed: choice.component > 0 || !hasFlex };
  }

  show(options) {
    for (const part of this.parts) part.flex?.show(options);
  }

  // What can be hidden: [name, objects].
  groups() {
    const out = this.parts.map((part) => [part.name, [part.group]]);
    if (this.joints.length > 0) out.push(['joints', this.joints.map((each) => each.mesh)]);
    if (this.springs.length + this.links.length + this.bushings.length > 0)
      out.push([this.links.length > 0 ? 'springs and links' : 'springs', [this.coils.mesh, this.rods.mesh, this.blocks.mesh]]);
    if (this.wheels.length > 0) out.push(['wheels', this.wheels.map((each) => each.mesh)]);
    if (this.contacts) {
      if (this.contacts.peak > 0) out.push(['forces of the road', [this.contacts.arrows]]);
      out.push(['tracks on the road', [this.contacts.tracks]]);
    }
    out.push(['ground', [this.grid]]);
    return out;
  }

  pickable() {
    const out = [];
    for (const part of this.parts) {
      if (!part.group.visible) continue;
      if (part.flex)
        out.push({
          part, body: part.flex, count: part.flex.count, ids: part.flex.ids,
          place: (i, point) => part.nodeInBody(i, this.factor, point).applyMatrix4(part.group.matrixWorld),
        });
      else out.push({ part, count: 1, ids: [part.name], place: (_, point) => point.setFromMatrixPosition(part.group.matrixWorld) });
    }
    return out;
  }

  tell(picked) {
    const point = picked.target.place(picked.node, new Vector3());
    const rows = [['in the world', point.toArray().map((v) => digits(v)).join(', ') + ' m']];
    if (picked.target.body) {
      const disp = [...picked.target.body.disp.subarray(3 * picked.node, 3 * picked.node + 3)];
      rows.push(['displacement', disp.map((v) => digits(v, 3)).join(', ') + ' m']);
      rows.push(...fieldTexts(picked.target.body, picked.node));
    }
    return rows;
  }

  // Curves of a picked node for the plots
  curves(picked) {
    const body = picked.target.body;
    if (body) return body.history(picked.node).map((values, k) => ({ name: `displacement ${'xyz'[k]}`, unit: 'm', values }));
    const m = picked.target.part.motion;
    if (!m) return [];
    const rows = m.length / 7;
    return [0, 1, 2].map((k) => ({ name: `position ${'xyz'[k]}`, unit: 'm', values: Float32Array.from({ length: rows }, (_, r) => m[7 * r + k]) }));
  }
}
