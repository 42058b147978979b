// The camera, the place and the choices of a page in its address, so that a link shows the same picture:
// #camera=px,py,pz,tx,ty,tz&place=0.25&mode=3
const short = (value) => String(Number(value.toPrecision(6)));

export function readAddress() {
  const words = new URLSearchParams(window.location.hash.slice(1));
  const numbers = (name) => (words.get(name) ?? '').split(',').filter((text) => text !== '').map(Number);
  const camera = numbers('camera');
  const place = numbers('place');
  const mode = numbers('mode');
  return {
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : null,
    place: Number.isFinite(place[0]) ? place[0] : null,
    mode: Number.isInteger(mode[0]) && mode[0] >= 1 ? mode[0] - 1 : null,
    colour: words.get('colour'),
  };
}

// Sets the address without a new entry in the history of the browser.
export function writeAddress({ camera, place, mode, colour }) {
  const words = [];
  if (camera) words.push('camera=' + camera.map(short).join(','));
  if (place !== null) words.push('place=' + short(place));
  if (mode !== null) words.push(`mode=${mode + 1}`);
  if (colour) words.push('colour=' + encodeURIComponent(colour));
  try {
    window.history.replaceState(null, '', '#' + words.join('&'));
  } catch {
    // a page inside a frame without an address of its own
  }
}
