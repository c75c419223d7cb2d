import { useThree } from '@react-three/fiber';
import { useEffect, useState } from 'react';
import { SRGBColorSpace, type Texture, TextureLoader } from 'three';
import type { PhotoPlane } from './photo-plane.ts';

/**
 * The part of a photo that a head was made of; fractions of its width and height from the upper left corner.
 */
export interface PhotoPart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The photo where it was taken, in front of everything, so much of it as is wanted. */
export function BlendedPhoto(props: {
  url: string;
  plane: PhotoPlane;
  part: PhotoPart | undefined;
  /** 0..1. */
  opacity: number;
}) {
  const { url, plane, part, opacity } = props;
  const { invalidate } = useThree();
  const [photo, setPhoto] = useState<Texture>();
  useEffect(() => {
    let gone = false;
    const texture = new TextureLoader().load(url, () => {
      if (gone) return;
      texture.colorSpace = SRGBColorSpace;
      setPhoto(texture);
      invalidate();
    });
    return () => {
      gone = true;
      texture.dispose();
    };
  }, [url, invalidate]);
  useEffect(() => {
    photo?.repeat.set(part?.width ?? 1, part?.height ?? 1);
    photo?.offset.set(part?.x ?? 0, part ? 1 - part.y - part.height : 0);
  }, [photo, part]);
  if (!photo) return null;
  return (
    <mesh position={plane.position} quaternion={plane.turn} renderOrder={10}>
      <planeGeometry args={[plane.width, plane.height]} />
      <meshBasicMaterial
        map={photo}
        transparent
        opacity={opacity}
        depthTest={false}
        depthWrite={false}
        toneMapped={false}
      />
    </mesh>
  );
}
