import { glbVersion } from '@likeness/proto/glb_header.ts';
import type { BoneName } from '@likeness/proto/heads/bone_names.ts';
import { describeHead } from '@likeness/proto/heads/head_json.ts';
import { Box3, type Group, type Material, Mesh, Object3D, setConsoleFunction, Texture, Vector3 } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type PhotoPlane, photoPlaneOf } from './photo-plane.ts';

/** A deprecation warning of react-three-fiber's use of three.js' Clock, which this project can't fix. */
const known = 'THREE.Clock: This module has been deprecated';

/** three.js writes to the console as it always does, but for what is known and can't be helped. */
function quietThree(): void {
  setConsoleFunction((type, message, ...rest) => {
    // biome-ignore lint/suspicious/noConsole: three.js's own words
    if (!message.startsWith(known)) console[type](message, ...rest);
  });
}

quietThree(); // before the first canvas, wherever in the studio it is

export interface LoadedHead {
  scene: Group;
  /** Middle of the head and its size in metres, for framing. */
  middle: Vector3;
  size: Vector3;
  /** Bones that a face's pose rotates. */
  bones: HeadBones;
  /** How the photo lies over it; null where its file does not say. */
  photo: PhotoPlane | null;
}

export type HeadBones = Partial<Record<BoneName, Object3D>>;

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
  const { scene, bones } = await parseHead(bytes);
  const box = new Box3().setFromObject(scene);
  const middle = box.getCenter(new Vector3());
  return { scene, middle, size: box.getSize(new Vector3()), photo: photoPlaneOf(scene, middle), bones };
}

/** A head of any maker: it looks along +Z, its shapes have their names, and its bones are known. */
async function parseHead(glb: ArrayBuffer): Promise<Pick<LoadedHead, 'scene' | 'bones'>> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register(({ json }) => {
    prepare(json);
    return { name: 'LIKENESS_head' };
  });
  const { scene, parser } = await loader.parseAsync(glb, '');
  const { facing, bones } = describeHead(parser.json);
  if (facing === '-Z') scene.rotation.y = Math.PI;
  const found: HeadBones = {};
  for (const [object, { nodes }] of parser.associations)
    for (const [bone, node] of Object.entries(bones) as [BoneName, number][])
      if (node === nodes && object instanceof Object3D) found[bone] ??= object;
  return { scene, bones: found };
}

/** The parts of a glTF file's JSON that are corrected before three.js loads it. */
interface HeadJson {
  meshes?: { extras?: object }[];
  materials?: {
    pbrMetallicRoughness?: object;
    extensions?: Record<string, SpecularGlossiness | undefined>;
  }[];
}
interface SpecularGlossiness {
  diffuseFactor?: number[];
  diffuseTexture?: object;
  glossinessFactor?: number;
}

/** Writes into a file's JSON what three reads in one place alone, and an older model of materials as today's. */
function prepare(json: HeadJson): void {
  const { targetNames } = describeHead(json);
  for (const [at, mesh] of (json.meshes ?? []).entries())
    if (targetNames[at]!.length > 0) mesh.extras = { ...mesh.extras, targetNames: targetNames[at] };
  for (const material of json.materials ?? []) {
    const older = material.extensions?.KHR_materials_pbrSpecularGlossiness;
    if (!older) continue;
    const { diffuseFactor, diffuseTexture, glossinessFactor = 1 } = older;
    material.pbrMetallicRoughness = {
      ...(diffuseFactor && { baseColorFactor: diffuseFactor }),
      ...(diffuseTexture && { baseColorTexture: diffuseTexture }),
      metallicFactor: 0,
      roughnessFactor: 1 - glossinessFactor,
    };
  }
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
