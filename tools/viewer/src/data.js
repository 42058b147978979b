// The page's data: one JSON block, and base64 blobs that are decoded when they are first asked for.

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

const kinds = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, u8: Uint8Array };
const decoded = new Map();

// { blob: number, type: "f32" } -> typed array; empty where nothing is given
export function array(reference) {
  if (!reference) return new Float32Array(0);
  if (!decoded.has(reference.blob)) {
    const element = document.getElementById('blob-' + reference.blob);
    decoded.set(reference.blob, new kinds[reference.type](bytes(element.textContent)));
    element.remove();
  }
  return decoded.get(reference.blob);
}

export function read() {
  return JSON.parse(document.getElementById('femflex-data').textContent);
}

export function digits(value, count = 4) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-4 ? value.toExponential(count - 1).replace(/\.?0+e/, 'e') : Number(value.toPrecision(count)).toString();
  return text.replaceAll('-', '\u2212').replace('e+', 'e');
}
