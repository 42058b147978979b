import { DataTexture, LinearFilter, RGBAFormat } from 'three';

// Maps that rise in lightness and stay apart for colour-blind eyes: one for sizes, one for signed values.
const maps = {
  size: ['#33308a', '#2c6fb3', '#2aa198', '#8cc152', '#f2c14e', '#e4572e'],
  signed: ['#1d4f91', '#5b9bd5', '#c9d3dc', '#e58a6f', '#b3202c'],
};

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

export function colourAt(map, t) {
  const stops = maps[map];
  const x = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(x));
  const a = channels(stops[i]);
  const b = channels(stops[i + 1]);
  return a.map((value, k) => value + (b[k] - value) * (x - i));
}

export function css(map) {
  return `linear-gradient(to top, ${maps[map].join(', ')})`;
}

const textures = {};
export function texture(map) {
  if (!textures[map]) {
    const pixels = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) pixels.set([...colourAt(map, i / 255), 255], 4 * i);
    const made = new DataTexture(pixels, 256, 1, RGBAFormat);
    made.magFilter = made.minFilter = LinearFilter;
    made.needsUpdate = true;
    textures[map] = made;
  }
  return textures[map];
}
