import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import type { LightRigName } from '../appearance.ts';
import { rigs } from './light-rigs.ts';
import { roomLight, roomReflections } from './rig-lights.ts';

/**
 * @param reflections what comes from all around is mirrored by the head, too. Without them it only lights,
 *   which is a relief where a processor draws
 * @param turn degrees that the lamps and what is mirrored are turned around the head; positive: to the right
 */
export function LightRig(props: { name: LightRigName; turn?: number; reflections?: boolean }) {
  const { name, turn = 0, reflections = true } = props;
  const around = (turn * Math.PI) / 180;
  const { gl, scene, invalidate } = useThree();
  const rig = rigs[name];
  useEffect(() => {
    if (!reflections) return;
    const target = roomReflections(gl);
    scene.environment = target.texture;
    return () => {
      scene.environment = null;
      target.dispose();
    };
  }, [gl, scene, reflections]);
  useEffect(() => {
    scene.environmentIntensity = rig.room;
    scene.environmentRotation.y = around;
    invalidate();
  }, [scene, rig, around, invalidate]);
  return (
    <>
      {!reflections && <lightProbe sh={roomLight} intensity={rig.room} />}
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
