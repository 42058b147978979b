// True where no graphics hardware draws the page: the renderer then names one of the known software rasterisers.
export function drawnByProcessor() {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
