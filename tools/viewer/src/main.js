import { ColorManagement, LinearSRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { readAddress, writeAddress } from './address.js';
import { css } from './colour.js';
import { digits, read } from './data.js';
import { canRecord, fileName, record, savePicture } from './export.js';
import { fieldNames, spotCycles, spotHistory, spotList } from './fields.js';
import { drawnByProcessor } from './graphics.js';
import { LatticeView } from './lattice.js';
import { partner } from './link.js';
import { ModesView } from './modes.js';
import { MotionView } from './motion.js';
import { Panel } from './panel.js';
import { Plots, firstChannels } from './plots.js';
import { Section } from './section.js';
import * as theme from './theme.js';

ColorManagement.enabled = false;
const $ = (id) => document.getElementById(id);
const page = (window.femflex = { ready: false, errors: [] });
window.addEventListener('error', (event) => page.errors.push(String(event.message)));

const data = read();
const makers = { modes: ModesView, motion: MotionView, lattice: LatticeView };
const views = data.views.map((each) => new makers[each.kind](each));
const isModes = views[0].kind === 'modes';
const letters = ['A', 'B'];

// ---- the canvas and its panels
// Without graphics hardware a large model would move in jerks: four samples a pixel and the lines of the mesh take most
// of the time, so the samples are left out, and the lines while it plays.
const largeModel = 20000;  // nodes; of fewer a processor alone draws enough pictures a second with both
const nodes = views.flatMap((view) => view.pickable()).reduce((sum, each) => sum + each.count, 0);
const isSparing = nodes > largeModel && drawnByProcessor();
const renderer = new WebGLRenderer({ canvas: $('canvas'), antialias: !isSparing });
renderer.outputColorSpace = LinearSRGBColorSpace;
renderer.setScissorTest(true);
const section = new Section(renderer);
const panels = views.map((view, k) => {
  const host = document.createElement('div');
  host.className = 'panel';
  host.tabIndex = 0;
  host.setAttribute('role', 'group');
  host.setAttribute('aria-label', `picture of ${view.title}: Shift and arrows turn it`);
  host.innerHTML = '<h2><span></span><small></small></h2><svg class="axes" viewBox="-37 -37 74 74" aria-hidden="true"></svg><svg class="ruler" hidden aria-hidden="true"><line/></svg><div class="mark" hidden><span></span></div>';
  host.querySelector('h2 span').textContent = views.length > 1 ? `${letters[k]}  ${view.title}` : '';
  host.querySelector('h2').hidden = views.length < 2 && view.kind !== 'modes';
  $('panels').append(host);
  return new Panel(host, view);
});
for (const panel of panels)
  panel.controls.addEventListener('change', () => {
    if (panels.length > 1 && $('lock').checked && !panel.following) {
      for (const other of panels)
        if (other !== panel) {
          other.following = true;
          other.follow(panel);
          other.following = false;
        }
    }
    stale = true;
  });
for (const panel of panels) {
  panel.controls.addEventListener('start', () => { panel.touched = true; });
  panel.controls.addEventListener('end', () => share());
}

// ---- state
let playing = true;
let stale = true;
let clock = 0;
let place = 0;  // phase in cycles for modes, seconds for a motion
let picked = null;
let origin = null;  // the node from which distances are measured, as `picked`
let recording = null;
const start = Math.min(...views.map((view) => view.time?.start ?? 0));
const end = Math.max(...views.map((view) => view.time?.end ?? 1));
const duration = Math.max(1e-12, end - start);
// a motion is shown in about eight seconds unless it is near enough to real time
const usualRate = isModes ? 0.7 : duration > 2 && duration < 30 ? 1 : duration / 8;

const amplitude = () => 10 ** Number($('amplitude').value);
const speed = () => 10 ** Number($('speed').value);

// ---- modes
const lists = [];
function modeText(mode) {
  return [mode.label, mode.hz === null ? '–' : digits(mode.hz, 4), mode.damping === null ? '–' : digits(100 * mode.damping, 3)];
}
function buildLists() {
  views.forEach((view, k) => {
    if (views.length > 1) {
      const head = document.createElement('h2');
      head.textContent = `${letters[k]}  ${view.title}`;
      $('lists').append(head);
    }
    const list = document.createElement('div');
    list.className = views.length > 1 ? 'list short' : 'list';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'modes');
    list.innerHTML = '<div class="head" aria-hidden="true"><span>#</span><span>kind</span><span>Hz</span><span>ζ %</span></div>';
    view.modes.forEach((mode, i) => {
      const item = document.createElement('button');
      item.type = 'button';
      item.setAttribute('role', 'option');
      item.title = `${mode.kind}: ${mode.label}`;
      for (const text of [i + 1, ...modeText(mode)]) {
        const cell = document.createElement('span');
        cell.textContent = text;
        item.append(cell);
      }
      item.onclick = () => {
        chooseMode(k, i);
        share();
      };
      list.append(item);
    });
    lists.push(list);
    $('lists').append(list);
  });
}
function chooseMode(k, index, linked = true) {
  const view = views[k];
  if (view.modes.length === 0) return;
  view.setMode(index);
  [...lists[k].querySelectorAll('button')].forEach((item, i) => item.setAttribute('aria-selected', String(i === view.mode)));
  lists[k].querySelectorAll('button')[view.mode].scrollIntoView({ block: 'nearest' });
  const mode = view.modes[view.mode];
  if (k === 0 && linked && views.length > 1 && $('lock').checked && views[1].modes.length > 0) {
    const [other, mac, sign] = partner(view.body, views[1].body, view.mode);
    chooseMode(1, other, false);
    if (sign < 0) views[1].scale *= -1;
    const text = panels[1].host.querySelector('small');
    if (Number.isFinite(mac)) text.textContent += `, MAC with A ${digits(mac, 4)}`;
  }
  panels[k].host.querySelector('small').textContent =
    `mode ${view.mode + 1}, ${mode.label}` + (mode.hz === null ? '' : `, ${digits(mode.hz, 5)} Hz`) + (mode.damping === null ? '' : `, damping ${digits(100 * mode.damping, 3)} %`);
  recolour();
  tell();
  stale = true;
}

// ---- colour and what is shown
function colourChoice() {
  const value = $('colour').value;
  const field = value.startsWith('field:') ? value.slice(6) : '';
  return { coloured: value !== 'plain', component: field ? 0 : 'xyz'.indexOf(value) + 1, what: value, field };
}
function recolour() {
  const choice = colourChoice();
  const most = (value) => Math.max(...views.map(value));
  let common;
  if (views.length > 1 && views.every((view) => view.kind === 'motion')) common = { flexPeak: most((view) => view.flexPeak) };
  if (views.length > 1 && views.every((view) => view.kind === 'lattice'))
    common = { force: most((view) => view.peakOf('force')), energy: most((view) => view.peakOf('energy')) };
  const legends = views.map((view) => view.setColour(choice, common));
  const top = legends[0];
  $('legend').hidden = !(choice.coloured && top.peak > 0);
  $('legend-bar').style.background = css(top.signed ? 'signed' : 'size');
  $('legend-unit').textContent = top.unit || 'shape';
  $('legend-high').textContent = digits(top.peak, 3);
  $('legend-low').textContent = top.signed ? digits(-top.peak, 3) : top.low > 0 ? digits(top.low, 3) : '0';
  stale = true;
}
function reshow() {
  const lines = !(isSparing && playing);
  for (const view of views) view.show({ ghost: $('ghost').checked && lines, faces: $('faces').checked, lines });
  stale = true;
}

// ---- time
function setPlace(value) {
  place = isModes ? ((value % 1) + 1) % 1 : Math.min(end, Math.max(start, value));
  move();
}
function move() {
  const size = amplitude();
  for (const view of views) {
    if (isModes) view.move(place, size);
    else {
      view.factor = size;
      view.setTime(place);
    }
  }
  for (const panel of panels) panel.goAlong($('follow').checked);
  $('time').value = isModes ? place : (place - start) / duration;
  $('now').textContent = isModes ? `phase ${Math.round(360 * place)}°` : `${digits(place, 5)} s of ${digits(end, 4)} s`;
  if (plots) plots.cursor(place);
  stale = true;
}
function play(on) {
  playing = on;
  $('play').textContent = playing ? '❚❚' : '▶';
  if (isSparing) reshow();
  if (playing && !isModes && place >= end) setPlace(start);
}
function readSliders() {
  $('amplitude-now').textContent = '× ' + digits(amplitude(), 2);
  $('speed-now').textContent = isModes ? `${digits(usualRate * speed(), 2)} cycles/s` : `${digits(usualRate * speed(), 2)} × real time`;
  if (!playing) move();
}

// ---- plots
let plots = null;
function channelCurves(name) {
  const curves = [];
  views.forEach((view, k) => {
    const at = view.channels.findIndex((each) => each.name === name);
    const rows = view.plotTimes.length;
    if (at >= 0)
      curves.push({ label: views.length > 1 ? letters[k] : '', times: view.plotTimes, values: view.values.subarray(at * rows, (at + 1) * rows), dashed: k > 0 });
  });
  return curves;
}
function addChannel(name) {
  const curves = channelCurves(name);
  if (curves.length === 0) return false;
  const channel = views.flatMap((view) => view.channels).find((each) => each.name === name);
  plots.add(name, channel.unit, curves);
  plots.cursor(place);
  return true;
}
function buildPlots() {
  $('plots').hidden = false;
  plots = new Plots($('curves'), (time) => { play(false); setPlace(time); });
  const names = new Set(views.flatMap((view) => view.channels.map((each) => each.name)));
  for (const name of names) {
    const option = document.createElement('option');
    option.value = name;
    $('channels').append(option);
  }
  $('channel').addEventListener('input', () => {
    if (names.has($('channel').value) && addChannel($('channel').value)) $('channel').value = '';
  });
  for (const name of firstChannels(views[0])) addChannel(name);
}

// ---- picking
function pick(found, panel) {
  if (picked && plots) for (const plot of [...plots.list]) if (plot.key.startsWith('node:')) plots.remove(plot.key);
  picked = found ? { ...found, panel } : null;
  if (picked && plots) {
    const view = panel.view;
    const id = picked.target.ids[picked.node];
    const curves = view.curves(picked);
    if (curves.length > 0)
      plots.add(
        `node ${id}: ${curves[0].name.split(' ')[0]} ${curves.map((each) => each.name.split(' ')[1]).join(', ')}`, curves[0].unit,
        curves.map(({ name, values }) => ({ label: name.split(' ')[1], times: view.time.times, values })), 'node:' + id,
      );
    plots.cursor(place);
  }
  tell();
  stale = true;
}
function tell() {
  $('pick').replaceChildren();
  if (!picked) return;
  const rows = [['node', String(picked.target.ids[picked.node])], ...picked.panel.view.tell(picked), ...measured()];
  for (const [name, value] of rows) {
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = value;
    $('pick').append(dt, dd);
  }
}
// The way from the node that was marked to the picked one, as they stand now.
function measured() {
  if (!origin || origin.panel !== picked.panel) return [];
  const unit = picked.panel.view.unit ?? 'm';
  const from = origin.target.place(origin.node, new Vector3());
  const way = picked.target.place(picked.node, new Vector3()).sub(from);
  return [
    [`from ${origin.target.ids[origin.node]}`, `${digits(way.length())} ${unit}`],
    ['along x, y, z', `${way.toArray().map((v) => digits(v, 4)).join(', ')} ${unit}`],
  ];
}
function measureFrom() {
  origin = picked && origin?.node !== picked.node ? picked : null;
  $('measure').setAttribute('aria-pressed', String(Boolean(origin)));
  tell();
  stale = true;
}
function findNode(text) {
  for (const panel of panels)
    for (const target of panel.view.pickable()) {
      const node = [...target.ids].findIndex((id) => String(id) === text.trim());
      if (node >= 0) return pick({ target, node }, panel);
    }
}
for (const panel of panels) {
  let from = null;
  panel.host.addEventListener('pointerdown', (event) => { from = [event.clientX, event.clientY]; });
  panel.host.addEventListener('pointerup', (event) => {
    if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 5) return;
    const r = panel.rectangle;
    pick(panel.nodeAt(event.clientX - r.left, event.clientY - r.top, event.pointerType === 'touch' ? 28 : 16, section), panel);
  });
}

// ---- hot spots
function goTo(spot, k) {
  const panel = panels[k];
  if (isModes && spot.mode !== undefined) chooseMode(k, spot.mode);
  if (!isModes && spot.time !== undefined) {
    play(false);
    setPlace(spot.time);
  }
  const target = panel.view.pickable().find((each) => each.body && (!spot.body || each.body.name === spot.body));
  const node = target ? target.body.places.get(spot.node) : undefined;
  if (node !== undefined) pick({ target, node }, panel);
  if (!plots) return;
  for (const plot of [...plots.list]) if (plot.key.startsWith('spot:')) plots.remove(plot.key);
  const history = spotHistory(spot);
  if (history.length > 0) plots.add(`${spot.place}: ${spot.criterion}`, 'Pa', history, 'spot:history');
  const cycles = spotCycles(spot);
  if (cycles) plots.addMatrix(`${spot.place}: cycles by range and mean`, cycles, 'spot:cycles');
  plots.cursor(place);
}
function buildSpots() {
  views.forEach((view, k) => {
    if (!view.spots?.length) return;
    const head = document.createElement('h2');
    head.textContent = (views.length > 1 ? letters[k] + '  ' : '') + 'hot spots';
    $('spots').append(head, spotList(view.spots, (spot) => goTo(spot, k)));
  });
}

// ---- drawing
function axes(panel) {
  const turn = panel.camera.matrixWorldInverse;
  const lines = ['x', 'y', 'z'].map((name, k) => {
    const e = turn.elements;
    return { name, x: 26 * e[4 * k], y: -26 * e[4 * k + 1], depth: e[4 * k + 2], colour: ['#d1495b', '#3a9d5a', '#3b7dd8'][k] };
  });
  lines.sort((a, b) => a.depth - b.depth);
  panel.host.querySelector('.axes').innerHTML = lines
    .map(({ name, x, y, colour }) => `<line x2="${x.toFixed(1)}" y2="${y.toFixed(1)}" stroke="${colour}" stroke-width="2.2" stroke-linecap="round"/><text x="${(1.28 * x).toFixed(1)}" y="${(1.28 * y + 4).toFixed(1)}" text-anchor="middle" fill="${colour}">${name}</text>`)
    .join('');
}
function mark(panel) {
  const label = panel.host.querySelector('.mark');
  label.hidden = !(picked && picked.panel === panel);
  if (label.hidden) return;
  const at = panel.project(picked.target.place(picked.node, new Vector3()));
  label.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
  label.firstElementChild.textContent = picked.target.ids[picked.node];
}
function rule(panel) {
  const ruler = panel.host.querySelector('.ruler');
  const isShown = origin && picked && origin.panel === panel && picked.panel === panel;
  ruler.toggleAttribute('hidden', !isShown);
  if (!isShown) return;
  const line = ruler.firstElementChild;
  [origin, picked].forEach((each, k) => {
    const at = panel.project(each.target.place(each.node, new Vector3()));
    line.setAttribute(`x${k + 1}`, at.x.toFixed(1));
    line.setAttribute(`y${k + 1}`, at.y.toFixed(1));
  });
}
let size = '';
function draw() {
  const stage = $('stage').getBoundingClientRect();
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const now = `${stage.width} ${stage.height} ${ratio}`;
  if (now !== size) {
    size = now;
    renderer.setPixelRatio(ratio);
    renderer.setSize(stage.width, stage.height, false);
    for (const panel of panels) panel.resize();
    plots?.redraw();
  }
  for (const panel of panels) {
    panel.draw(renderer, stage, section);
    axes(panel);
    mark(panel);
    rule(panel);
  }
  stale = false;
}
function step(at) {
  const passed = clock === 0 ? 0 : Math.min(0.1, (at - clock) / 1000);
  clock = at;
  if (playing && passed > 0) {
    const advance = passed * usualRate * speed();
    let next = place + advance;
    if (recording) {
      recording.left -= advance;
      if (recording.left <= 0) recording.stop();
    }
    if (!isModes && next > end) next = start;
    setPlace(next);
    if (picked && !isModes) tell();
  }
  if (stale) draw();
  requestAnimationFrame(step);
}

// ---- pictures, videos, the address
function picture() {
  draw();
  return savePicture($('canvas'), fileName(document.title, '.png'));
}
// One cycle of a mode (more where they are quick), or the whole motion; a second call ends it early.
const shortestVideo = 1;  // seconds; less gives a recorder too few pictures
function video() {
  if (recording) {
    recording.stop();
    return recording.ended;
  }
  setPlace(isModes ? 0 : start);
  play(true);
  recording = record($('canvas'), fileName(document.title, '.webm'));
  recording.left = isModes ? Math.max(1, Math.ceil(usualRate * speed() * shortestVideo)) : duration;
  $('video').setAttribute('aria-pressed', 'true');
  recording.ended.then(() => {
    recording = null;
    $('video').setAttribute('aria-pressed', 'false');
  });
  return recording.ended;
}
let sharing = 0;
function share() {
  clearTimeout(sharing);
  sharing = setTimeout(() => writeAddress({
    camera: panels[0].touched ? panels[0].state() : null,
    place: playing ? null : place,
    mode: isModes && views[0].modes.length > 0 ? views[0].mode : null,
    colour: $('colour').selectedIndex > 0 ? $('colour').value : null,
  }), 150);
}
function takeAddress() {
  const given = readAddress();
  if (given.colour && [...$('colour').options].some((option) => option.value === given.colour)) {
    $('colour').value = given.colour;
    recolour();
  }
  if (isModes && given.mode !== null) chooseMode(0, given.mode);
  if (given.camera) {
    panels[0].resize();
    panels[0].setState(given.camera);
    if (panels.length > 1 && $('lock').checked) panels[1].follow(panels[0]);
  }
  if (given.place !== null) {
    play(false);
    setPlace(given.place);
  }
  stale = true;
}

// ---- what is shown and what is left out
function cutAt() {
  section.set($('section').value, Number($('section-at').value), panels[0].box);
  $('section-at').hidden = section.name === 'off';
  stale = true;
}
function buildParts() {
  const groups = views.flatMap((view, k) => view.groups().map(([name, objects]) => [views.length > 1 ? `${letters[k]} ${name}` : name, objects]));
  $('parts').hidden = groups.length < 2;
  for (const [name, objects] of groups) {
    const label = document.createElement('label');
    label.className = 'check';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.onchange = () => {
      for (const each of objects) each.visible = box.checked;
      if (!box.checked && picked?.target.part && objects.includes(picked.target.part.group)) pick(null, picked.panel);
      stale = true;
    };
    label.append(box, ` ${name}`);
    $('part-list').append(label);
  }
}

// ---- the page's own controls
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  theme.apply(panels);
  plots?.redraw();
  stale = true;
}
function look(name) {
  for (const panel of panels) {
    panel.touched = false;
    panel.look(name);
  }
  share();
  stale = true;
}
const choices = isModes || views[0].parts?.some((part) => part.flex)
  ? [['displacement', 'displacement'], ['x', 'along x'], ['y', 'along y'], ['z', 'along z'], ['plain', 'plain']]
  : [['force', 'force'], ['energy', 'energy'], ['plain', 'plain']].filter(([key]) => views[0].kind === 'lattice' || key !== 'energy');
const coloured = views.flatMap((view) => (view.body ? [view.body] : (view.parts ?? []).map((part) => part.flex).filter(Boolean)));
for (const name of fieldNames(coloured)) choices.unshift(['field:' + name, name]);
for (const [key, text] of choices) $('colour').append(new Option(text, key));
if (isModes) buildLists();
else buildPlots();
buildSpots();
buildParts();
for (const view of views)
  for (const note of view.notes ?? []) {
    const line = document.createElement('p');
    line.textContent = note;
    $('notes').append(line);
  }
$('amplitude-name').textContent = isModes ? 'Amplitude' : views[0].kind === 'lattice' ? 'Displacement' : 'Deformation';
$('lock-label').hidden = views.length < 2;
$('follow-label').hidden = !views.some((view) => view.carrier);
$('follow').onchange = () => { move(); look(panels[0].name); };
$('faces-label').hidden = !(isModes || views[0].parts?.some((part) => part.flex));
const bends = views.some((view) => view.kind !== 'motion' || view.parts.some((part) => part.flex));
for (const id of ['amplitude', 'amplitude-now']) $(id).closest('label, input').hidden = !bends;
$('ghost').parentElement.hidden = !bends;
$('colour').parentElement.hidden = !bends && !views.some((view) => view.forcePeak > 0);
$('looks').hidden = views.every((view) => view.planar);
$('colour').onchange = () => { recolour(); if (!playing) move(); share(); };
$('section').onchange = $('section-at').oninput = cutAt;
$('section-row').hidden = views.every((view) => view.planar);
$('measure').onclick = measureFrom;
$('picture').onclick = picture;
$('video').hidden = !canRecord($('canvas'));
$('video').onclick = video;
$('ghost').onchange = $('faces').onchange = reshow;
$('lock').onchange = () => { if ($('lock').checked && panels.length > 1) panels[1].follow(panels[0]); stale = true; };
$('amplitude').oninput = $('speed').oninput = readSliders;
$('time').oninput = () => {
  play(false);
  setPlace(isModes ? Number($('time').value) : start + Number($('time').value) * duration);
  tell();
  share();
};
$('play').onclick = () => { play(!playing); share(); };
$('theme').onclick = () => setTheme(theme.currentTheme() === 'dark' ? 'light' : 'dark');
$('find').oninput = () => findNode($('find').value);
for (const button of document.querySelectorAll('[data-look]')) button.onclick = () => look(button.dataset.look);
function nudge(id, by) {
  $(id).value = Number($(id).value) + by;
  readSliders();
}
const keys = {
  ' ': () => play(!playing),
  ArrowUp: () => isModes && chooseMode(0, views[0].mode - 1),
  ArrowDown: () => isModes && chooseMode(0, views[0].mode + 1),
  ArrowLeft: () => { play(false); setPlace(place - (isModes ? 1 / 36 : duration / 200)); tell(); },
  ArrowRight: () => { play(false); setPlace(place + (isModes ? 1 / 36 : duration / 200)); tell(); },
  '+': () => nudge('amplitude', 0.1), '=': () => nudge('amplitude', 0.1), '-': () => nudge('amplitude', -0.1),
  ']': () => nudge('speed', 0.1), '[': () => nudge('speed', -0.1),
  1: () => look('iso'), 2: () => look('front'), 3: () => look('side'), 4: () => look('top'), r: () => look('iso'),
  m: measureFrom, p: picture, v: () => !$('video').hidden && video(),
  g: () => $('ghost').click(), f: () => $('faces').click(), d: () => $('theme').click(),
};
const turnStep = Math.PI / 36;  // five degrees at a press
const turns = { ArrowLeft: [-turnStep, 0], ArrowRight: [turnStep, 0], ArrowUp: [0, turnStep], ArrowDown: [0, -turnStep] };
function turnAll(around, up) {
  const focused = panels.find((panel) => panel.host === document.activeElement) ?? panels[0];
  for (const panel of $('lock').checked ? panels : [focused]) panel.turn(around, up);
  share();
  stale = true;
}
window.addEventListener('keydown', (event) => {
  if (event.target.matches('input:not([type=checkbox]), select') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = event.shiftKey && turns[event.key] ? () => turnAll(...turns[event.key]) : keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
});
window.addEventListener('resize', () => { stale = true; });
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { theme.apply(panels); plots?.redraw(); stale = true; });
new ResizeObserver(() => { stale = true; }).observe($('stage'));

theme.apply(panels);
reshow();
recolour();
if (isModes) views.forEach((view, k) => chooseMode(k, view.modes.findIndex((mode) => mode.hz > 0.01) >= 0 && k === 0 ? view.modes.findIndex((mode) => mode.hz > 0.01) : 0, k === 0));
if (isModes && views.length > 1) chooseMode(0, views[0].mode);
readSliders();
cutAt();
setPlace(isModes ? 0.25 : start);
if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) play(false);
Object.assign(page, { views, panels, section, draw, picture, video, measureFrom, measured, takeAddress, play, setPlace, chooseMode, pick, findNode, goTo, look, setTheme, place: () => place, playing: () => playing });
takeAddress();
window.addEventListener('hashchange', takeAddress);
requestAnimationFrame((at) => {
  draw();
  page.ready = true;
  step(at);
});
