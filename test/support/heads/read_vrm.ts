import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { type VRMAnimation, VRMAnimationLoaderPlugin } from '@pixiv/three-vrm-animation';
import { Texture } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Pictures need a page to be decoded in; what is looked at here needs none. */
const withoutPictures = { name: 'without pictures', loadTexture: async () => new Texture() };

async function read(bytes: Uint8Array): Promise<GLTF> {
  const loader = new GLTFLoader();
  loader.register(() => withoutPictures as never);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const { buffer, byteOffset, byteLength } = bytes;
  return loader.parseAsync(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer, '');
}

/** A VRM as pixiv's three-vrm reads it. */
export const readVrm = async (bytes: Uint8Array): Promise<VRM> => (await read(bytes)).userData.vrm as VRM;

/** The first animation of a VRMA. */
export const readVrma = async (bytes: Uint8Array): Promise<VRMAnimation> =>
  (await read(bytes)).userData.vrmAnimations[0] as VRMAnimation;
