/** The lights of a rig, for every stage that draws a head. */
import {
  DirectionalLight,
  PMREMGenerator,
  SphericalHarmonics3,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { LightRigName } from '../appearance.ts';
import { rigs } from './light-rigs.ts';

export function lampsOf(name: LightRigName): DirectionalLight[] {
  return rigs[name].lamps.map(([position, colour, strength]) => {
    const lamp = new DirectionalLight(colour, strength);
    lamp.position.set(...position);
    return lamp;
  });
}

/** The room around a head as an environment map, which the head mirrors. The caller disposes of it. */
export function roomReflections(renderer: WebGLRenderer): WebGLRenderTarget {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const target = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return target;
}

/**
 * The room around a head as light without reflections: some forty texture reads a pixel less. Measured from
 * `RoomEnvironment`, whose light is white: to measure it on each stage, the head would stand dark meanwhile.
 */
export const roomLight = new SphericalHarmonics3().fromArray(
  [3.6138, 1.5634, 1.595, 0.2193, 0.1494, 1.0336, 1.388, -0.2821, -0.4645].flatMap((white) => [
    white,
    white,
    white,
  ]),
);
