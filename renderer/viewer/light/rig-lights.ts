/** The lights of a rig, for every stage that draws a head. */
import {
  CubeCamera,
  DirectionalLight,
  HalfFloatType,
  PMREMGenerator,
  type SphericalHarmonics3,
  WebGLCubeRenderTarget,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { LightProbeGenerator } from 'three/addons/lights/LightProbeGenerator.js';
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

/** The room around a head as light without reflections: some forty texture reads a pixel less. */
export async function roomLight(renderer: WebGLRenderer): Promise<SphericalHarmonics3> {
  const room = new RoomEnvironment();
  const target = new WebGLCubeRenderTarget(32, { type: HalfFloatType });
  new CubeCamera(0.1, 100, target).update(renderer, room);
  room.dispose();
  try {
    return (await LightProbeGenerator.fromCubeRenderTarget(renderer, target)).sh;
  } finally {
    target.dispose();
  }
}
