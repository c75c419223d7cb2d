import {
  Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { disposeHead, loadHead } from './load-head.ts';

/** Pixels a side. */
const size = 384;
const idleMs = 4000;

let renderer: WebGLRenderer | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** Graphics contexts are few: one is kept while there is work, and given back after it. */
function acquireRenderer(): WebGLRenderer {
  clearTimeout(idle);
  renderer ??= new WebGLRenderer({ alpha: true, antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size, false);
  return renderer;
}
function giveBack(): void {
  idle = setTimeout(() => {
    renderer?.dispose();
    renderer?.forceContextLoss();
    renderer = undefined;
  }, idleMs);
}

async function photograph(url: string, signal: AbortSignal): Promise<string> {
  const head = await loadHead(url, signal);
  try {
    const scene = new Scene();
    const turned = new Group();
    turned.add(head.scene);
    turned.rotation.y = 0.26; // a quarter profile: the nose shows, both eyes are seen
    scene.add(turned);
    const box = new Box3().setFromObject(turned);
    const middle = box.getCenter(new Vector3());
    const extent = box.getSize(new Vector3());
    const camera = new PerspectiveCamera(22, 1, 0.001, 1000);
    const distance =
      (Math.max(extent.x, extent.y) * 1.12) / 2 / Math.tan((11 * Math.PI) / 180) + extent.z / 2;
    camera.position.set(middle.x, middle.y, middle.z + distance);
    camera.near = distance / 50;
    camera.far = distance * 20;
    camera.updateProjectionMatrix();
    const key = new DirectionalLight('#fff3e6', 2.4);
    key.position.set(1.4, 1.3, 1.8);
    scene.add(new HemisphereLight('#ffffff', '#6b6f72', 1.3), key);
    const gl = acquireRenderer();
    gl.render(scene, camera);
    const blob = await new Promise<Blob | null>((resolve) => {
      gl.domElement.toBlob(resolve, 'image/webp', 0.85);
    });
    if (!blob) throw new Error('The browser made no picture of the head.');
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  } finally {
    disposeHead(head.scene);
    giveBack();
  }
}

/**
 * A picture of the head at `url`, WebP in base64. One after another:
 * several at once would only wait for each other.
 */
export function thumbnailOf(url: string, signal: AbortSignal): Promise<string> {
  const picture = turn.then(() => {
    signal.throwIfAborted();
    return photograph(url, signal);
  });
  turn = picture.catch(() => undefined);
  return picture;
}
