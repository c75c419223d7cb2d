import { LoadingManager, type Object3D, Texture } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';

/** An FBX as three's own loader reads it. */
export function readFbx(bytes: Uint8Array): Object3D {
  const manager = new LoadingManager();
  // Pictures are for a page; here their place is enough.
  const pictures = { path: '', setPath: () => pictures, load: () => new Texture() };
  manager.addHandler(/\.(png|jpg)$/i, pictures as never);
  return new FBXLoader(manager).parse(new Uint8Array(bytes).buffer, '');
}
