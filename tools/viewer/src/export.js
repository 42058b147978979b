// Pictures and videos of the canvas as files, made in the browser.
function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A file name from the page's title.
export function fileName(title, ending) {
  const words = title.trim().replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^_+|_+$/g, '');
  return (words || 'picture') + ending;
}

// To be called right after the canvas was drawn, before the browser clears it.
export function savePicture(canvas, name) {
  return new Promise((done) => canvas.toBlob((blob) => {
    save(blob, name);
    done(blob);
  }, 'image/png'));
}

const kinds = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const picturesPerSecond = 30;
const bitsPerSecond = 8e6;  // enough for sharp lines at full HD

// Whether this browser can record.
export function canRecord(canvas) {
  return typeof MediaRecorder === 'function' && typeof canvas.captureStream === 'function' && kinds.some((kind) => MediaRecorder.isTypeSupported(kind));
}

// Records what is drawn until stop(); `ended` is a promise of the file.
export function record(canvas, name) {
  const stream = canvas.captureStream(picturesPerSecond);
  const mimeType = kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: bitsPerSecond });
  const pieces = [];
  recorder.ondataavailable = (event) => { if (event.data.size > 0) pieces.push(event.data); };
  const ended = new Promise((done) => {
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      const blob = new Blob(pieces, { type: 'video/webm' });
      save(blob, name);
      done(blob);
    };
  });
  recorder.start();
  return { stop: () => { if (recorder.state !== 'inactive') recorder.stop(); }, ended };
}
