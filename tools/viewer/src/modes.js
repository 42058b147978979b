import { Box3, Group, Vector3 } from 'three';
import { FlexibleBody } from './body.js';
import { digits } from './data.js';
import { fieldLegend, fieldTexts } from './fields.js';

// Mode shapes of one body.
export class ModesView {
  constructor(data) {
    this.title = data.title;
    this.kind = 'modes';
    this.body = new FlexibleBody(data.bodies[0]);
    this.modes = this.body.modes;
    this.group = new Group();
    this.group.add(this.body.group);
    this.mode = -1;
    this.scale = 0;
    this.spots = data.spots ?? [];
    this.notes = data.notes ?? [];
    this.unit = data.lengthUnit ?? 'm';
    this.box = new Box3().setFromArray(this.body.rest);
    this.size = Math.max(1e-9, this.box.getSize(new Vector3()).length());
  }

  bounds() {
    return this.box.clone().expandByScalar(0.035 * this.size);
  }

  setMode(index) {
    if (this.modes.length === 0) return;
    this.mode = Math.min(this.modes.length - 1, Math.max(0, index));
    this.body.setMode(this.mode);
    const peak = this.body.peak();
    // one unit of the amplitude slider: the largest displacement is 8 % of the body's size
    this.scale = peak > 0 ? (0.08 * this.size) / peak : 0;
  }

  // `turn` counts cycles
  move(turn, amplitude) {
    this.phase = Math.sin(2 * Math.PI * turn);
    this.factor = this.scale * amplitude * this.phase;
    this.body.setFactor(this.factor);
  }

  groups() {
    const { faces, edges, wires, beams } = this.body;
    return faces && beams ? [['faces', [faces, edges, wires].filter(Boolean)], ['beams', [beams.mesh]]] : [];
  }

  setColour(choice) {
    const peak = this.body.peak(choice.component);
    this.body.colour(choice, peak);
    if (choice.field) return fieldLegend([this.body], choice.field);
    return { peak, unit: '', signed: choice.component > 0 };
  }

  show(options) {
    this.body.show(options);
  }

  pickable() {
    const body = this.body;
    return [{
      body, count: body.count, ids: body.ids,
      place: (i, out) => out.set(...[0, 1, 2].map((k) => body.rest[3 * i + k] + this.factor * body.disp[3 * i + k])),
    }];
  }

  // What a picked node tells.
  tell(picked) {
    const i = 3 * picked.node;
    const rest = [...this.body.rest.subarray(i, i + 3)];
    if (this.modes.length === 0) return [['at rest', rest.map((v) => digits(v)).join(', ') + ' ' + this.unit]];
    const disp = [...this.body.disp.subarray(i, i + 3)];
    const peak = this.body.peak();
    return [
      ['at rest', rest.map((v) => digits(v)).join(', ') + ' ' + this.unit],
      ['shape', disp.map((v) => digits(v, 3)).join(', ')],
      ['of the largest', digits(peak > 0 ? (100 * Math.hypot(...disp)) / peak : 0, 3) + ' %'],
      ...fieldTexts(this.body, picked.node),
    ];
  }
}
