import { Box3, type Group, type Material, Mesh, type Object3D, Texture, Vector3 } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { glbVersion } from '#proto/glb_header.ts';
import { type PhotoPlane, photoPlaneOf } from './photo-plane.ts';
import { quietThree } from './three-console.ts';

quietThree(); // before the first canvas, wherever in the studio it is

export interface LoadedHead {
  scene: Group;
  /** Middle of the head and its size in metres, for framing. */
  middle: Vector3;
  size: Vector3;
  /** How the photo lies over it; null where its file does not say. */
  photo: PhotoPlane | null;
}

/** There is no such head (yet): not a fault. */
export class HeadMissing extends Error {
  override name = 'HeadMissing';
}

/** Reads a GLB from our own origin. Throws `HeadMissing` where there is none. */
export async function loadHead(url: string, signal: AbortSignal): Promise<LoadedHead> {
  const response = await fetch(url, { signal });
  if (response.status === 404) throw new HeadMissing(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  // A server that answers everything with its page says 200 to a missing file, too.
  if (bytes.byteLength < 12 || glbVersion(new Uint8Array(bytes)) === null) throw new HeadMissing(url);
  const { scene } = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes, '');
  const box = new Box3().setFromObject(scene);
  const middle = box.getCenter(new Vector3());
  return { scene, middle, size: box.getSize(new Vector3()), photo: photoPlaneOf(scene, middle) };
}

/** Frees a head's GPU resources. */
export function disposeHead(head: Object3D): void {
  head.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    node.geometry.dispose();
    const materials: Material[] = Array.isArray(node.material) ? node.material : [node.material];
    for (const material of materials) {
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
      material.dispose();
    }
  });
}
