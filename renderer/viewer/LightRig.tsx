import { useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import { CubeCamera, HalfFloatType, type LightProbe, PMREMGenerator, WebGLCubeRenderTarget } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { LightProbeGenerator } from 'three/addons/lights/LightProbeGenerator.js';
import type { LightRigName } from './look.ts';

/** Where a lamp stands (metres, the head at the origin looking along +z), its colour and strength. */
type Lamp = readonly [position: readonly [number, number, number], colour: string, strength: number];

interface Rig {
  lamps: readonly Lamp[];
  /** Strength of what comes from all around, as reflections too. */
  room: number;
}

// Classic portrait set-ups, made here so that nothing is fetched.
const rigs: Record<LightRigName, Rig> = {
  studio: {
    lamps: [
      [[1.4, 1.3, 1.8], '#fff3e6', 2.3],
      [[-1.8, 0.3, 1.2], '#dfe9ff', 0.7],
      [[-0.8, 1.4, -1.8], '#ffffff', 1.8],
    ],
    room: 0.3,
  },
  soft: { lamps: [[[0, 1.6, 1.6], '#ffffff', 0.8]], room: 0.85 },
  window: {
    lamps: [
      [[-2.2, 0.9, 1], '#eaf1ff', 3.2],
      [[1.8, 0.2, 0.4], '#ffe6cc', 0.25],
    ],
    room: 0.16,
  },
  edge: {
    lamps: [
      [[1.6, 0.7, -1.5], '#fff1e0', 4.5],
      [[-1.6, 0.7, -1.5], '#e2ecff', 4.5],
      [[0, 0.4, 2], '#ffffff', 0.35],
    ],
    room: 0.1,
  },
};

/**
 * @param reflections what comes from all around is mirrored by the head,
 * too. Without them it only lights: some forty
 *   texture reads a pixel less, which is what a processor that draws spends most of its time on
 * @param turn degrees that the lamps and what is mirrored are turned around the head; positive: to the right
 */
export function LightRig(props: { name: LightRigName; turn?: number; reflections?: boolean }) {
  const { name, turn = 0, reflections = true } = props;
  const around = (turn * Math.PI) / 180;
  const { gl, scene, invalidate } = useThree();
  const probe = useRef<LightProbe>(null);
  const rig = rigs[name];
  useEffect(() => {
    if (!reflections) return;
    const generator = new PMREMGenerator(gl);
    const room = new RoomEnvironment();
    const target = generator.fromScene(room, 0.04);
    room.dispose();
    scene.environment = target.texture;
    return () => {
      scene.environment = null;
      target.dispose();
      generator.dispose();
    };
  }, [gl, scene, reflections]);
  useEffect(() => {
    if (reflections) return;
    const room = new RoomEnvironment();
    const target = new WebGLCubeRenderTarget(32, { type: HalfFloatType });
    new CubeCamera(0.1, 100, target).update(gl, room);
    room.dispose();
    LightProbeGenerator.fromCubeRenderTarget(gl, target)
      .then(({ sh }) => {
        probe.current?.sh.copy(sh);
        invalidate();
      })
      .catch(() => undefined) // the context is lost: the stage is set up again
      .finally(() => target.dispose());
  }, [gl, reflections, invalidate]);
  useEffect(() => {
    scene.environmentIntensity = rig.room;
    scene.environmentRotation.y = around;
    invalidate();
  }, [scene, rig, around, invalidate]);
  return (
    <>
      {!reflections && <lightProbe ref={probe} intensity={rig.room} />}
      <group rotation={[0, around, 0]}>
        {rig.lamps.map(([position, color, intensity]) => (
          <directionalLight
            key={position.join()}
            position={[...position]}
            color={color}
            intensity={intensity}
          />
        ))}
      </group>
    </>
  );
}
