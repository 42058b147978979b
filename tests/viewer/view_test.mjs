// node view_test.mjs CASE FEMFLEX SOURCE [LARGE_VIEW]: one case, in a headless Chromium, from file:// alone.
// Ends with 77 (skipped) where there is no browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, chromium, difference, spread } from './browser.mjs';

const [name, program, source, largeView] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'femflex-page-'));
const femflex = (...words) => execFileSync(program, [...words, '--quiet'], { cwd: folder });
const file = (each) => join(folder, each);
const data = (each) => join(source, 'data', each);

function chassis() {
  femflex('import', data('chassis/framec.bdf'), data('chassis/framec_kgg_mgg_ascii.op4'), '--interface', '1-8,51', '--units', 'm-kg-s', '--name', 'chassis', '-o', 'chassis.fe.h5');
  femflex('reduce', 'chassis.fe.h5', '--method', 'craig-chang', '--normal', '20', '--orthogonalise', '--scale', '--damping', '0.02', '-o', 'chassis.fbm');
}

function clean(browser) {
  assert.deepEqual(browser.errors, [], 'nothing on the console');
  assert.deepEqual(browser.requests.filter((url) => !/^(file|data|blob):/.test(url)), [], 'nothing from outside');
}

async function drawn(browser) {
  const picture = await browser.picture();
  const { drawn: share, colours } = spread(picture);
  assert.ok(share > 0.01 && colours > 50, `the canvas is not blank: ${share} drawn, ${colours} colours`);
  return picture;
}

const set = (selector, value) => `(() => { const e = document.querySelector('${selector}'); e.value = ${value}; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); })()`;

const cases = {
  // Truth: the shapes of the body file; the picture of each mode is another one.
  async AModeListDrivesThePicture(browser) {
    chassis();
    femflex('view', 'chassis.fbm', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false), femflex.setPlace(0.25)');
    const first = await drawn(browser);
    assert.match(await browser.evaluate("document.querySelector('[aria-selected=true]').textContent"), /8\.249/);
    await browser.click('.list button:nth-of-type(2)');
    assert.equal(await browser.evaluate('femflex.views[0].mode'), 1);
    const second = await browser.picture();
    assert.ok(difference(first, second) > 0.01, 'another mode is another picture');
    await browser.evaluate("document.querySelector('.panel').focus()");
    await browser.key('ArrowUp');
    assert.equal(await browser.evaluate('femflex.views[0].mode'), 0);
    assert.ok(difference(first, await browser.picture()) < 1e-3, 'and back again');
    await browser.evaluate(set('#amplitude', 0.6));
    assert.ok(difference(first, await browser.picture()) > 0.01, 'the amplitude shows');
    await browser.evaluate(set('#amplitude', 0));
    await browser.evaluate(set('#colour', "'z'"));
    assert.ok(difference(first, await browser.picture()) > 0.01, 'the colour shows');
    await browser.evaluate(set('#colour', "'displacement'"));
    await browser.click('#ghost');
    assert.ok(difference(first, await browser.picture()) > 1e-3, 'the undeformed body goes');
    await browser.click('#ghost');
    const start = await browser.evaluate('femflex.place()');
    await browser.key(' ');
    await browser.until(`Math.abs(femflex.place() - ${start}) > 0.02`);
    assert.ok(await browser.evaluate('femflex.playing()'), 'space plays');
    clean(browser);
  },

  // Truth: the document of `femflex stress`: the worst place, its time and its damage.
  async StressIsAColourAndAClickGoesToAHotSpot(browser) {
    const deck = (end) => data('calculix/decks/held_C3D20' + end);
    femflex('import', deck('.inp'), deck('.sti.gz'), deck('.mas.gz'), deck('.dof'), '--units', 'm-kg-s', '--name', 'bracket', '-o', 'bracket.fe.h5');
    femflex('modes', 'bracket.fe.h5', '--normal', '10');
    femflex('reduce', 'bracket.fe.h5', '--select', 'dynamic:1-10', '-o', 'bracket.fbm');
    writeFileSync(file('bracket.json'), readFileSync(data('durability/bracket.json')));
    femflex('simulate', 'bracket.json', '-o', 'run.h5');
    const told = JSON.parse(femflex('stress', 'run.h5', '--at', 'corners', '--curve', data('durability/soft.json'), '--view', 'page.html', '--json'));
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false), femflex.setPlace(0.001)');
    assert.match(await browser.evaluate("document.querySelector('#colour').value"), /^field:/);
    const damage = await drawn(browser);
    await browser.evaluate(set('#colour', "'field:von Mises, peak of the run'"));
    assert.ok(difference(damage, await browser.picture()) > 1e-3, 'stress has other colours than damage');
    assert.match(await browser.evaluate("document.querySelector('#legend-unit').textContent"), /Pa/);
    await browser.evaluate(set('#colour', "'plain'"));
    assert.ok(difference(damage, await browser.picture()) > 0.01, 'plain has none');
    await browser.click('.spots button:nth-of-type(2)');
    const spot = told.rows[1];
    assert.ok(Math.abs((await browser.evaluate('femflex.place()')) - spot.von_mises.time) < 1e-9, 'the time of its peak');
    const plots = await browser.evaluate("[...document.querySelectorAll('#curves .name')].map((e) => e.textContent).join('; ')");
    assert.match(plots, new RegExp(`${spot.type} ${spot.element}, corner ${spot.index}: signed von Mises stress \\[Pa\\]`));
    assert.match(plots, /cycles by range and mean/);
    assert.match(await browser.evaluate("document.querySelector('#pick').innerText"), /damage/);
    clean(browser);
  },

  // Truth: grid 51 of the deck stands at (0.75, 0, ...), grid 100085 at x = 3; a click where a node is drawn finds it.
  async APickedNodeTellsItsNumberAndMotion(browser) {
    chassis();
    femflex('view', 'chassis.fbm', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate("femflex.play(false), femflex.setPlace(0), femflex.look('top'), femflex.draw()");
    const at = await browser.evaluate(
      `(() => { const p = femflex.panels[0], t = p.view.pickable()[0], v = p.camera.position.clone(); t.place([...t.ids].indexOf(100085), v);
        const s = p.project(v); return [s.x + p.rectangle.left, s.y + p.rectangle.top]; })()`,
    );
    await browser.clickAt(at[0] + 2, at[1] - 2);
    const told = await browser.evaluate("document.querySelector('#pick').innerText");
    assert.match(told, /node\s+100085[\s\S]*at rest\s+3,/);
    await browser.evaluate(set('#find', "'51'"));
    await browser.settle();
    assert.match(await browser.evaluate("document.querySelector('#pick').innerText"), /node\s+51[\s\S]*0\.75/);
    assert.equal(await browser.evaluate("document.querySelector('.mark').innerText"), '51');
    const before = await browser.evaluate('femflex.panels[0].camera.position.toArray()');
    await browser.drag(700, 500, 120, 40);
    assert.notDeepEqual(await browser.evaluate('femflex.panels[0].camera.position.toArray()'), before, 'dragging turns');
    await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const turned = await browser.evaluate('femflex.panels[0].camera.position.toArray()');
    const touch = (type, spreadOf) => browser.send('Input.dispatchTouchEvent', { type, touchPoints: spreadOf ? [{ x: 700 - spreadOf, y: 400, id: 0 }, { x: 700 + spreadOf, y: 400, id: 1 }] : [] });
    await touch('touchStart', 40);
    for (const wide of [60, 90, 120]) await touch('touchMove', wide);
    await touch('touchEnd', 0);
    await browser.settle();
    assert.notDeepEqual(await browser.evaluate('femflex.panels[0].camera.position.toArray()'), turned, 'two fingers zoom');
    clean(browser);
  },

  // Truth: the result file; the slider's place is the time, body and plots follow.
  async TheTimeSliderMovesTheTruckAndItsPlots(browser) {
    chassis();
    writeFileSync(file('truck.json'), readFileSync(join(source, 'examples/truck/truck.json')));
    femflex('simulate', 'truck.json', '--set', 'bodies.chassis.modes={"enable":"1-20"}', '--end', '0.4', '-o', 'truck.h5');
    femflex('view', 'truck.h5', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false), femflex.setPlace(0)');
    const first = await drawn(browser);
    assert.equal(await browser.evaluate("femflex.views[0].parts.map((p) => p.name).sort().join()"), 'cab,chassis,engine,front,payload,rear');
    const cab = 'femflex.views[0].byName.get("cab").group.position.z';
    const start = await browser.evaluate(cab);
    await browser.evaluate(set('#amplitude', 1.5));
    await browser.evaluate(set('#time', 0.75));
    assert.ok(Math.abs((await browser.evaluate('femflex.place()')) - 0.3) < 1e-9, 'three quarters of the run');
    assert.notEqual(await browser.evaluate(cab), start);
    assert.ok(difference(first, await browser.picture()) > 1e-3, 'the picture moves');
    const plot = await browser.evaluate("(() => { const r = document.querySelector('figure canvas').getBoundingClientRect(); return [r.left + 58 + (r.width - 66) / 2, r.top + 40]; })()");
    await browser.clickAt(...plot);
    assert.ok(Math.abs((await browser.evaluate('femflex.place()')) - 0.2) < 0.01, 'a click in a plot sets the time');
    const plots = await browser.evaluate("document.querySelectorAll('figure').length");
    await browser.evaluate(set('#find', "'51'"));
    assert.equal(await browser.evaluate("document.querySelectorAll('figure').length"), plots + 1, 'a picked node has its plot');
    await browser.evaluate(set('#channel', "'chassis/51/acceleration/z'"));
    assert.equal(await browser.evaluate("document.querySelectorAll('figure').length"), plots + 2, 'a channel has its plot');
    clean(browser);
  },

  // Truth: crank 0.1, rod 0.3: the pin is always 0.1 from the shaft and 0.3 from the slider.
  async APlanarMechanismMovesWithItsJoints(browser) {
    femflex('new', 'slider-crank');
    femflex('simulate', 'slider-crank.json', '-o', 'run.h5');
    femflex('view', 'run.h5', '-o', 'page.html');
    await browser.open(file('page.html'));
    for (const time of [0, 0.13, 0.5]) {
      await browser.evaluate(`femflex.play(false), femflex.setPlace(${time})`);
      const [shaft, pin, wrist] = await browser.evaluate("['shaft', 'pin', 'wrist'].map((name) => femflex.views[0].joints.find((j) => j.name === name).mesh.position.toArray())");
      assert.ok(Math.abs(Math.hypot(pin[0] - shaft[0], pin[1] - shaft[1]) - 0.1) < 1e-4);
      assert.ok(Math.abs(Math.hypot(pin[0] - wrist[0], pin[1] - wrist[1]) - 0.3) < 1e-3);
    }
    await drawn(browser);
    clean(browser);
  },

  // Truth: coordinates of the deck's grids 1 and 51; a plane at half the length leaves out what is in front of it.
  async ASectionCutsAndTwoNodesAreMeasured(browser) {
    chassis();
    femflex('view', 'chassis.fbm', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate("femflex.play(false), femflex.setPlace(0), femflex.look('top')");
    const whole = await drawn(browser);
    await browser.evaluate(set('#section', "'x'"));
    assert.ok(await browser.evaluate("!document.querySelector('#section-at').hidden"));
    const half = await browser.picture();
    assert.ok(difference(whole, half) > 0.01, 'half of the frame is left out');
    await browser.evaluate(set('#section-at', 1));
    assert.ok(difference(whole, await browser.picture()) < 1e-3, 'a plane at the end leaves out nothing');
    await browser.evaluate(set('#section-at', 0.5));
    const far = await browser.evaluate(
      `(() => { const p = femflex.panels[0], t = p.view.pickable()[0], v = p.camera.position.clone(); let worst = -1e9;
        for (let x = 0; x < 1200; x += 20) for (let y = 0; y < 760; y += 20) { const f = p.nodeAt(x, y, 20, femflex.section); if (f) worst = Math.max(worst, t.place(f.node, v).x); } return worst; })()`,
    );
    assert.ok(far > 2.5 && far <= (await browser.evaluate('femflex.section.place')) + 1e-6, `what is cut cannot be picked: ${far}`);
    await browser.evaluate(set('#section', "'off'"));
    await browser.evaluate(set('#find', "'1'"));
    await browser.click('#measure');
    await browser.evaluate(set('#find', "'51'"));
    const places = await browser.evaluate("[1, 51].map((id) => { const b = femflex.views[0].body; return [...b.rest.subarray(3 * b.places.get(id), 3 * b.places.get(id) + 3)]; })");
    const way = Math.hypot(...places[0].map((v, k) => places[1][k] - v));
    const told = await browser.evaluate("document.querySelector('#pick').innerText");
    const shown = Number(/from 1\s+([0-9.e-]+) m/.exec(told)?.[1]);
    assert.ok(Math.abs(shown - way) < 1e-3 * way, `${shown} for ${way}: ${told}`);
    assert.ok(await browser.evaluate("!document.querySelector('.ruler').hasAttribute('hidden')"));
    clean(browser);
  },

  // Truth: the first bytes of PNG (RFC 2083) and of EBML, in which WebM is written (RFC 8794); the address opens
  // the same camera, mode and place again.
  async PicturesVideosAndAddressesAreMade(browser) {
    chassis();
    femflex('view', 'chassis.fbm', '-o', 'page.html');
    await browser.open(file('page.html'));
    const head = (what) => browser.evaluate(`femflex.${what}().then((b) => b.arrayBuffer()).then((a) => [a.byteLength, ...new Uint8Array(a).slice(0, 4)])`);
    const [pictureSize, ...png] = await head('picture');
    assert.deepEqual(png, [0x89, 0x50, 0x4e, 0x47]);
    assert.ok(pictureSize > 5000);
    if (await browser.evaluate("!document.querySelector('#video').hidden")) {
      // a browser that is given no time draws nothing in one period
      let videoSize, webm;
      for (let tries = 0; tries < 4 && !(videoSize > 5000); ++tries) [videoSize, ...webm] = await head('video');
      assert.deepEqual(webm, [0x1a, 0x45, 0xdf, 0xa3]);
      assert.ok(videoSize > 5000, `${videoSize} bytes`);
    }
    await browser.evaluate('femflex.play(false), femflex.setPlace(0.125)');
    await browser.click('.list button:nth-of-type(4)');
    await browser.drag(700, 400, 90, 30);
    await browser.evaluate("document.querySelector('.panel').focus()");
    const before = await browser.evaluate('femflex.panels[0].camera.position.toArray()');
    await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'ArrowLeft', code: 'ArrowLeft', modifiers: 8 });
    await browser.settle();
    const turned = await browser.evaluate('femflex.panels[0].camera.position.toArray()');
    assert.notDeepEqual(turned, before, 'Shift and an arrow turn');
    await browser.until(`Math.abs(Number(/camera=([^,]*)/.exec(location.hash)?.[1]) - ${turned[0]}) < 1e-4`);
    const hash = await browser.evaluate('location.hash');
    assert.match(hash, /place=0\.125&mode=4/);
    await browser.send('Page.navigate', { url: 'about:blank' });
    await browser.send('Page.navigate', { url: pathToFileURL(file('page.html')).href + hash });
    await browser.until('window.femflex?.ready');
    assert.equal(await browser.evaluate('femflex.views[0].mode'), 3);
    assert.equal(await browser.evaluate('femflex.place()'), 0.125);
    const again = await browser.evaluate('femflex.panels[0].camera.position.toArray()');
    again.forEach((value, k) => assert.ok(Math.abs(value - turned[k]) < 1e-4, `${again} for ${turned}`));
    clean(browser);
  },

  // Truth: a hidden body is neither drawn nor picked.
  async BodiesAreHiddenByName(browser) {
    femflex('new', 'slider-crank');
    femflex('simulate', 'slider-crank.json', '-o', 'run.h5');
    femflex('view', 'run.h5', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false), femflex.setPlace(0)');
    const all = await drawn(browser);
    await browser.evaluate("document.querySelector('#parts').open = true");
    const names = await browser.evaluate("[...document.querySelectorAll('#part-list label')].map((e) => e.textContent.trim())");
    assert.ok(names.includes('rod') && names.includes('joints'), names.join());
    const rod = `#part-list label:nth-of-type(${names.indexOf('rod') + 1}) input`;
    await browser.click(rod);
    await browser.evaluate("document.querySelector('#parts').open = true");
    assert.ok(difference(all, await browser.picture()) > 1e-3, 'the rod is gone');
    assert.ok(!(await browser.evaluate("femflex.views[0].pickable().map((t) => t.part.name)")).includes('rod'));
    await browser.click(rod);
    assert.ok(difference(all, await browser.picture()) < 1e-3, 'and back again');
    clean(browser);
  },

  // Truth: frequencies of the deck's matrices; a model without modes is its mesh.
  async FeModelsAndFeResultsAreShown(browser) {
    chassis();
    femflex('view', 'chassis.fe.h5', '-o', 'mesh.html');
    await browser.open(file('mesh.html'));
    await drawn(browser);
    assert.equal(await browser.evaluate('femflex.views[0].modes.length'), 0);
    assert.match(await browser.evaluate("document.querySelector('#notes').innerText"), /no mode shapes/);
    clean(browser);
    femflex('view', data('element_stress/held/modes.frd'), '-o', 'frd.html');
    await browser.open(file('frd.html'));
    await drawn(browser);
    assert.ok((await browser.evaluate('femflex.views[0].modes.length')) > 0);
    assert.match(await browser.evaluate("document.querySelector('#notes').innerText"), /units/);
    clean(browser);
    femflex('view', data('double_mass_spring/dms.bdf'), data('double_mass_spring/dms.op2'), '-o', 'two.html');
    await browser.open(file('two.html'));
    assert.equal(await browser.evaluate('femflex.views.length'), 1, 'files of an FE code are one model');
    assert.ok((await browser.evaluate('femflex.views[0].modes.length')) > 0);
    clean(browser);
  },

  // Truth: signs of the forces; a spring that is longer than its rest length pulls.
  async ALatticeShowsForceAndEnergyOfItsSprings(browser) {
    writeFileSync(file('chain.json'), JSON.stringify({
      dimension: 2, gravity: 9.81,
      nodes: [{ id: 1, x: [0, 0], mass: 1, fixed: true }, { id: 2, x: [1, 0], mass: 1 }, { id: 3, x: [2, 0], mass: 1 }, { id: 4, x: [1, 1], mass: 1, fixed: true }],
      springs: [{ i: 1, j: 2, k: 500 }, { i: 2, j: 3, k: 500 }, { i: 2, j: 4, k: 500, law: 'linear' }],
    }));
    femflex('lattice', 'chain.json', '--end', '1', '--dt', '1e-3', '-o', 'run.h5');
    femflex('view', 'run.h5', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false), femflex.setPlace(0)');
    const first = await drawn(browser);
    const worst = await browser.evaluate(
      `(() => { const v = femflex.views[0], n = v.springs; let worst = 0; for (let r = 0; r < v.time.times.length; r++) { const p = v.positions.subarray(12 * r, 12 * r + 12);
        const d = Math.hypot(p[3] - p[9], p[4] - p[10]) - 1; worst = Math.max(worst, Math.abs(v.force[r * n + 2] - 500 * d), Math.abs(v.energy[r * n + 2] - 250 * d * d)); } return worst; })()`,
    );
    assert.ok(worst < 1e-3, `force and energy of the linear spring, off by ${worst}`);
    await browser.evaluate(set('#time', 0.6));
    const later = await browser.picture();
    assert.ok(difference(first, later) > 1e-3, 'it moves');
    await browser.evaluate(set('#colour', "'energy'"));
    assert.ok(difference(later, await browser.picture()) > 1e-3, 'energy is another colour');
    assert.equal(await browser.evaluate("document.querySelector('#legend-unit').textContent"), 'J');
    clean(browser);
  },

  // Truth: two views, one camera: what turns the left one turns the right one.
  async TwoBodiesStandSideBySideUnderOneCamera(browser) {
    chassis();
    femflex('reduce', 'chassis.fe.h5', '--method', 'craig-bampton', '--normal', '6', '--orthogonalise', '--scale', '-o', 'other.fbm');
    femflex('view', 'chassis.fbm', 'other.fbm', '-o', 'page.html');
    await browser.open(file('page.html'));
    await browser.evaluate('femflex.play(false)');
    await drawn(browser);
    await browser.click('.list button:nth-of-type(3)');
    assert.match(await browser.evaluate("document.querySelectorAll('.panel small')[1].textContent"), /MAC with A (1|0\.99)/);
    await browser.drag(500, 500, 150, 60);
    const cameras = await browser.evaluate('femflex.panels.map((p) => p.camera.position.toArray())');
    const between = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
    assert.ok(between(cameras[0], cameras[1]) < 1e-9, 'to round-off');
    await browser.click('#lock');
    await browser.drag(1000, 500, -90, 0);
    const apart = await browser.evaluate('femflex.panels.map((p) => p.camera.position.toArray())');
    assert.ok(between(apart[0], cameras[0]) < 1e-9);
    assert.ok(between(apart[1], cameras[1]) > 0.1);
    clean(browser);
  },

  // Truth: count of nodes; a plate of 317 x 317 nodes with ten shapes.
  async AHundredThousandNodesAreShown(browser) {
    execFileSync(largeView, ['317', file('page.html')]);
    const start = process.hrtime.bigint();
    await browser.open(file('page.html'));
    const opened = Number(process.hrtime.bigint() - start) / 1e9;
    assert.equal(await browser.evaluate('femflex.views[0].body.count'), 317 * 317);
    await browser.evaluate('femflex.play(false), femflex.setPlace(0.25)');
    const first = await drawn(browser);
    await browser.click('.list button:nth-of-type(4)');
    assert.ok(difference(first, await browser.picture()) > 0.02);
    const frame = await browser.evaluate('(() => { const t = performance.now(); for (let k = 0; k < 5; k++) { femflex.setPlace(0.05 * k); femflex.draw(); } return (performance.now() - t) / 5; })()');
    console.log(`opened in ${opened.toFixed(1)} s, ${frame.toFixed(1)} ms of script a frame`);
    clean(browser);
  },
};

if (!chromium()) {
  console.log('skipped: there is no Chromium here (Debian package chromium)');
  process.exit(77);
}
let browser;
try {
  browser = await Browser.start();
  await cases[name](browser);
} finally {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true });
}
