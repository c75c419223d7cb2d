/** A head is lit from its first frame on, with reflections or without. */
import { Canvas, useFrame } from '@react-three/fiber';
import {
  CubeCamera,
  HalfFloatType,
  LightProbe,
  type Scene,
  WebGLCubeRenderTarget,
  WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { LightProbeGenerator } from 'three/addons/lights/LightProbeGenerator.js';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { LightRig } from '../../../renderer/viewer/light/LightRig.tsx';
import { roomLight } from '../../../renderer/viewer/light/rig-lights.ts';

function FirstFrame({ onDraw }: { onDraw: (scene: Scene) => void }) {
  useFrame(({ scene }) => onDraw(scene));
  return null;
}

test.each([true, false])('the room lights the first frame (reflections: %s)', async (reflections) => {
  const lights: boolean[] = [];
  await render(
    <Canvas>
      <LightRig name="studio" reflections={reflections} />
      <FirstFrame
        onDraw={(scene) => {
          const probe = scene.getObjectsByProperty('isLightProbe', true)[0];
          const probed = probe instanceof LightProbe && probe.sh.equals(roomLight);
          lights.push(reflections ? scene.environment !== null : probed);
        }}
      />
    </Canvas>,
  );
  await expect.poll(() => lights[0]).toBe(true);
});

test('the light of the room is as three.js measures it', async () => {
  const renderer = new WebGLRenderer();
  const target = new WebGLCubeRenderTarget(32, { type: HalfFloatType });
  new CubeCamera(0.1, 100, target).update(renderer, new RoomEnvironment());
  const { sh } = await LightProbeGenerator.fromCubeRenderTarget(renderer, target);
  renderer.dispose();
  for (const [index, measured] of sh.toArray().entries())
    expect(roomLight.toArray()[index]).toBeCloseTo(measured, 2);
});
