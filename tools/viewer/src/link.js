import { array } from './data.js';

// The mode of B whose shape is most like mode `index` of A, on the nodes that both have: [mode, MAC].
export function partner(a, b, index) {
  const place = new Map();
  for (let i = 0; i < b.count; i++) place.set(b.ids[i], i);
  const pairs = [];
  for (let i = 0; i < a.count; i++) if (place.has(a.ids[i])) pairs.push([3 * i, 3 * place.get(a.ids[i])]);
  const shape = array(a.shapes[index]);
  let best = [Math.min(index, b.shapes.length - 1), NaN];
  let most = 0;
  b.shapes.forEach((reference, j) => {
    const other = array(reference);
    let aa = 0, bb = 0, ab = 0;
    for (const [p, q] of pairs)
      for (let k = 0; k < 3; k++) {
        aa += shape[p + k] ** 2;
        bb += other[q + k] ** 2;
        ab += shape[p + k] * other[q + k];
      }
    const mac = aa > 0 && bb > 0 ? (ab * ab) / (aa * bb) : 0;
    if (mac > most) { most = mac; best = [j, mac, Math.sign(ab)]; }
  });
  return best;
}
