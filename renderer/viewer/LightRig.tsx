import { useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import { CubeCamera, HalfFloatType, type LightProbe, PMREMGenerator, WebGLCubeRenderTarget } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { LightProbeGenerator } from 'three/addons/lights/LightProbeGenerator.js';
import { rigs } from './light-rigs.ts';
import type { LightRigName } from './look.ts';

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
