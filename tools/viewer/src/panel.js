// Panel: one picture of the page with its own scene, camera and controls.
import {
  Color, DirectionalLight, HemisphereLight, MOUSE, PerspectiveCamera, Scene, Spherical, TOUCH, Vector3,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const views = {
  iso: [-0.62, -1, 0.52],
  front: [1, 0, 0], // vehicles drive along +x
  side: [0, -1, 0],
  top: [0, -0.001, 1],
};

const fitRounds = 6; // steps in which look() finds the distance
const filled = 0.9; // share of the panel that the model fills
const largestZoom = 4; // change of the distance in one step
const depthWeight = 4; // of several nodes near the pointer, the one in front wins

export class Panel {
  constructor(host, view) {
    this.host = host;
    this.view = view;
    this.scene = new Scene();
    this.scene.add(view.group);
    this.camera = new PerspectiveCamera(view.planar ? 4 : 28, 1, 0.01, 100);
    this.camera.up.set(0, view.planar ? 1 : 0, view.planar ? 0 : 1);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a93a0, 1.7));
    this.light = new DirectionalLight(0xffffff, 1.6);
    this.scene.add(this.light);
    this.box = view.bounds();
    this.size = Math.max(1e-9, this.box.getSize(new Vector3()).length());
    this.controls = new OrbitControls(this.camera, host);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    if (view.planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = MOUSE.PAN;
      this.controls.touches.ONE = TOUCH.PAN;
    }
    // the place from which the camera follows a vehicle; null: it stands
    this.carried = view.carrier ? view.carrierPlace(new Vector3()) : null;
    this.look(view.planar ? 'top' : 'iso');
  }

  // Moves the camera along with a vehicle, or lets it stand.
  goAlong(on) {
    if (!on || !this.view.carrier) {
      this.carried = null;
      return;
    }
    const now = this.view.carrierPlace(new Vector3());
    if (this.carried) {
      const way = now.clone().sub(this.carried);
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.controls.update();
    }
    this.carried = now;
  }

  background(colour) {
    this.scene.background = new Color(colour);
  }

  // Looks from a named side, with all that moves in the middle and as large as fits.
  look(name) {
    this.seen = this.carried ? this.view.boxNow() : this.box;
    const size = Math.max(1e-9, this.seen.getSize(new Vector3()).length());
    const target = this.seen.getCenter(new Vector3());
    const from = new Vector3(...(this.view.planar ? [0, 0, 1] : views[name])).normalize();
    this.name = name;
    let distance = (0.5 * size) / Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new Vector3();
    const up = new Vector3();
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    for (let round = 0; round < fitRounds; round++) {
      this.camera.position.copy(target).addScaledVector(from, distance);
      this.camera.lookAt(target);
      this.camera.updateMatrixWorld();
      right.setFromMatrixColumn(this.camera.matrixWorld, 0);
      up.setFromMatrixColumn(this.camera.matrixWorld, 1);
      const low = [Infinity, Infinity];
      const high = [-Infinity, -Infinity];
      for (const corner of this.corners()) {
        const at = corner.sub(this.camera.position);
        const depth = Math.max(1e-6 * size, -at.dot(from));
        [at.dot(right) / (depth * tall * this.camera.aspect), at.dot(up) / (depth * tall)].forEach((value, k) => {
          low[k] = Math.min(low[k], value);
          high[k] = Math.max(high[k], value);
        });
      }
      target.addScaledVector(right, 0.5 * (low[0] + high[0]) * distance * tall * this.camera.aspect);
      target.addScaledVector(up, 0.5 * (low[1] + high[1]) * distance * tall);
      const share = Math.max(high[0] - low[0], high[1] - low[1]) / (2 * filled);
      distance *= Math.min(largestZoom, Math.max(1 / largestZoom, share));
    }
    this.camera.position.copy(target).addScaledVector(from, distance);
    this.camera.lookAt(target);
    this.controls.target.copy(target);
    this.controls.minDistance = 1e-3 * this.size;
    this.controls.maxDistance = (this.view.planar ? 200 : 30) * this.size;
    this.controls.update();
  }

  corners() {
    const { min, max } = this.seen;
    return Array.from({ length: 8 }, (_, k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
  }

  follow(other) {
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
  }

  // Where the camera stands and what it looks at: six numbers.
  state() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  setState(numbers) {
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.camera.lookAt(this.controls.target);
    this.touched = true;
    this.controls.update();
  }

  // Turns the camera about what it looks at, by angles around the vertical and up [rad].
  turn(around, up) {
    if (this.view.planar) return;
    const away = this.camera.position.clone().sub(this.controls.target);
    // three.js measures angles from y; our vertical is z
    const angles = new Spherical().setFromVector3(new Vector3(away.x, away.z, -away.y));
    angles.theta += around;
    angles.phi -= up;
    angles.makeSafe();
    const turned = new Vector3().setFromSpherical(angles);
    this.camera.position.copy(this.controls.target).add(new Vector3(turned.x, -turned.z, turned.y));
    this.camera.lookAt(this.controls.target);
    this.touched = true;
    this.controls.update();
  }

  resize() {
    this.rectangle = this.host.getBoundingClientRect();
    const aspect = Math.max(1e-3, this.rectangle.width / Math.max(1, this.rectangle.height));
    if (Math.abs(aspect - this.camera.aspect) < 1e-6) return;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.look(this.name);
  }

  draw(renderer, page, section) {
    const r = this.rectangle;
    if (r.width < 1 || r.height < 1) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance * 0.02, 1e-4 * this.size);
    this.camera.far = distance + 60 * this.size;
    this.camera.updateProjectionMatrix();
    this.light.position.copy(this.camera.position).add(new Vector3(0, 0, 0.6 * distance));
    const bottom = page.height - (r.bottom - page.top);
    renderer.setViewport(r.left - page.left, bottom, r.width, r.height);
    renderer.setScissor(r.left - page.left, bottom, r.width, r.height);
    section.apply(this.camera);
    renderer.render(this.scene, this.camera);
  }

  // Where a point of the world is on the screen, in pixels of the panel; depth in z.
  project(point) {
    const at = point.clone().project(this.camera);
    return new Vector3(((at.x + 1) / 2) * this.rectangle.width, ((1 - at.y) / 2) * this.rectangle.height, at.z);
  }

  // The node nearest to a place on the screen; of several, the one in front. None that a section leaves out.
  nodeAt(x, y, reach, section) {
    const point = new Vector3();
    let best = null;
    let least = Infinity;
    this.camera.updateMatrixWorld();
    for (const target of this.view.pickable()) {
      for (let i = 0; i < target.count; i++) {
        target.place(i, point);
        if (section?.hides(point)) continue;
        const depth = point.distanceTo(this.camera.position) / this.size;
        const at = this.project(point);
        if (at.z > 1) continue;
        const away = Math.hypot(at.x - x, at.y - y);
        if (away > reach) continue;
        const score = away / reach + depthWeight * depth;
        if (score < least) {
          least = score;
          best = { target, node: i };
        }
      }
    }
    return best;
  }
}
