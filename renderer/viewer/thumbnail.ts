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
const thumbnailSize = 384;
/** Radians: the nose shows, both eyes are seen. */
const quarterProfile = 0.26;
const idleMs = 4000;

let renderer: WebGLRenderer | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** Graphics contexts are few: one is kept while there is work, and given back after it. */
function acquireRenderer(size: number): WebGLRenderer {
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

/** Loads a head, has it drawn as often as asked for, and frees it. @param size - Pixels a side. */
async function withHead<T>(
  url: string,
  signal: AbortSignal,
  size: number,
  work: (draw: (yaw: number) => HTMLCanvasElement) => Promise<T>,
): Promise<T> {
  const head = await loadHead(url, signal);
  try {
    const scene = new Scene();
    const turned = new Group();
    turned.add(head.scene);
    turned.rotation.y = quarterProfile;
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
    const gl = acquireRenderer(size);
    return await work((yaw) => {
      turned.rotation.y = yaw;
      gl.render(scene, camera);
      return gl.domElement;
    });
  } finally {
    disposeHead(head.scene);
    giveBack();
  }
}

async function webpOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/webp', 0.85);
  });
  if (!blob) throw new Error('The browser made no picture of the head.');
  return blob;
}

/** One after another: several at once would only wait for each other. */
function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const result = turn.then(() => {
    signal.throwIfAborted();
    return work();
  });
  turn = result.catch(() => undefined);
  return result;
}

/** A picture of the head at `url`, WebP in base64. */
export const thumbnailOf = (url: string, signal: AbortSignal): Promise<string> =>
  inTurn(signal, () =>
    withHead(url, signal, thumbnailSize, async (draw) => {
      const bytes = new Uint8Array(await (await webpOf(draw(quarterProfile))).arrayBuffer());
      let binary = '';
      for (const byte of bytes) binary += String.fromCharCode(byte);
      return btoa(binary);
    }),
  );

/** Pictures of a turn from one side to the other, each of so many pixels a side. */
const turnSteps = 13;
const turnSize = 160;

/**
 * Address of a strip of pictures of the head at `url`; the one in the middle looks as its thumbnail.
 *
 * @param maxDrawMs - Null is returned where one takes longer: drawn without a GPU, they would stop the page.
 */
export const photographTurn = (url: string, signal: AbortSignal, maxDrawMs = 80): Promise<string | null> =>
  inTurn(signal, () =>
    withHead(url, signal, turnSize, async (draw) => {
      const strip = document.createElement('canvas');
      strip.width = turnSteps * turnSize;
      strip.height = turnSize;
      const pen = strip.getContext('2d', { willReadFrequently: true });
      for (let step = 0; step < turnSteps; step += 1) {
        const begin = performance.now();
        pen?.drawImage(draw(quarterProfile + 0.15 * (step - 6)), step * turnSize, 0);
        // The first also compiles the shaders.
        if (step > 0 && performance.now() - begin > maxDrawMs) return null;
      }
      return URL.createObjectURL(await webpOf(strip));
    }),
  );
