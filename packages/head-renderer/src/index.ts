/** Draws 3D heads on the CPU. */
export { posedPoints, type Rendering, type RenderOptions, renderHead } from './rasteriser.ts';
export { thumbnail } from './thumbnail.ts';
