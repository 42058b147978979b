// What wheels and the road do to each other: the patch under each wheel, the force of the road on it as an arrow, and
// the surface that its tread has passed over.
import { ArrowHelper, BufferAttribute, BufferGeometry, CircleGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';

const arrowColour = '#d4380d';
const trackColour = '#7d8894';
const longestArrow = 2.6;  // of the largest force, in radii of the wheel
const shortestArrow = 1e-3;  // of that length: a smaller force is not drawn
const patchSize = 0.3;  // radius of the patch, in radii of the wheel
const treadWidth = 0.45;  // of the track, in radii of the wheel
const mostRows = 2000;  // of a track
const up = new Vector3(0, 0, 1);

export class Contacts {
  // `view` gives the places of wheels at a row, and channels over the rows of the picture
  constructor(view) {
    this.view = view;
    this.arrows = new Group();
    this.tracks = new Group();
    this.wheels = view.wheels.map((wheel) => this.wheel(wheel));
    this.peak = Math.max(0, ...this.wheels.map((wheel) => wheel.peak));
    this.layTracks();
  }

  wheel(data) {
    const read = (names) => {
      const values = names.map((name) => this.view.channel(`${data.name}/${name}`));
      return values.every(Boolean) ? values : null;
    };
    const inWorld = read(['force/x', 'force/y', 'force/z']);
    const force = inWorld ?? read(['wheel/fx', 'wheel/fy', 'wheel/fz']);
    let peak = 0;
    if (force) force[0].forEach((_, r) => { peak = Math.max(peak, Math.hypot(force[0][r], force[1][r], force[2][r])); });
    const out = { data, force, inWorld: Boolean(inWorld), peak, radius: this.view.channel(`${data.name}/wheel/radius`) };
    if (!force) return out;
    out.arrow = new ArrowHelper(up, new Vector3(), 1, arrowColour);
    for (const part of [out.arrow.line, out.arrow.cone]) {
      part.material.depthTest = false;  // the force of the road points into the wheel
      part.renderOrder = 2;
    }
    out.patch = new Mesh(new CircleGeometry(patchSize * data.radius, 24), new MeshBasicMaterial({ color: arrowColour, transparent: true, opacity: 0.55, side: DoubleSide }));
    this.arrows.add(out.arrow, out.patch);
    return out;
  }

  // The contact point, and the axes of the contact frame: forward and left; the road is taken as level across a patch
  frame(wheel, i, out) {
    const { data } = wheel;
    const part = this.view.byName.get(data.on.body);
    this.view.placeOf(data.on, out.point);
    out.axle.set(0, 1, 0);
    if (part) out.axle.applyQuaternion(part.group.quaternion);
    out.forward.crossVectors(out.axle, up).normalize();
    out.left.crossVectors(up, out.forward);
    out.down.crossVectors(out.axle, out.forward).normalize();
    out.point.addScaledVector(out.down, wheel.radius && wheel.radius[i] > 0 ? wheel.radius[i] : data.radius);
    return out;
  }

  setRow(i, f) {
    if (!(this.peak > 0)) return;
    for (const wheel of this.wheels) {
      if (!wheel.force) continue;
      const at = this.frame(wheel, i, scratch);
      const next = Math.min(i + 1, wheel.force[0].length - 1);
      const [x, y, z] = wheel.force.map((values) => values[i] * (1 - f) + values[next] * f);
      if (wheel.inWorld) at.force.set(x, y, z);
      else at.force.copy(at.forward).multiplyScalar(x).addScaledVector(at.left, y).addScaledVector(up, z);
      const size = at.force.length();
      const length = (longestArrow * wheel.data.radius * size) / this.peak;
      wheel.arrow.visible = wheel.patch.visible = length > shortestArrow * wheel.data.radius;
      if (!wheel.arrow.visible) continue;
      wheel.arrow.position.copy(at.point);
      wheel.arrow.setDirection(at.force.divideScalar(size));
      wheel.arrow.setLength(length, Math.min(0.35 * wheel.data.radius, 0.5 * length), 0.2 * wheel.data.radius);
      wheel.patch.position.copy(at.point).addScaledVector(up, 0.01 * wheel.data.radius);
    }
  }

  // A strip of road for each wheel, over the whole time
  layTracks() {
    const rows = this.view.time.times.length;
    const step = Math.max(1, Math.ceil(rows / mostRows));
    const places = this.wheels.map(() => []);
    for (let r = 0; r < rows; r += step) {
      this.view.moveParts(r, 0);
      this.wheels.forEach((wheel, k) => {
        const at = this.frame(wheel, r, scratch);
        const half = 0.5 * treadWidth * wheel.data.radius;
        for (const side of [-half, half]) places[k].push(at.point.x + side * at.left.x, at.point.y + side * at.left.y, at.point.z + side * at.left.z);
      });
    }
    for (const strip of places) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(strip), 3));
      const faces = [];
      for (let k = 0; k + 3 < strip.length / 3; k += 2) faces.push(k, k + 1, k + 2, k + 1, k + 3, k + 2);
      geometry.setIndex(faces);
      const mesh = new Mesh(geometry, new MeshBasicMaterial({ color: trackColour, transparent: true, opacity: 0.5, side: DoubleSide, depthWrite: false }));
      mesh.frustumCulled = false;
      this.tracks.add(mesh);
    }
  }
}

const scratch = { point: new Vector3(), axle: new Vector3(), forward: new Vector3(), left: new Vector3(), down: new Vector3(), force: new Vector3() };
