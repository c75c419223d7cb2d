/** Whether the processor draws instead of a graphics card. */
export function drawsOnProcessor(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  return /llvmpipe|swiftshader|software/i.test(renderer);
}
