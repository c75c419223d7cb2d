import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useMemo, useRef } from 'react';
import type { Object3D, PerspectiveCamera } from 'three';
import type { Settings } from '#contract';
import { type Area, areaToDraw, coveredArea, type StageSize } from '../drawn-area.ts';
import { cornersOf } from '../head-corners.ts';
import { PixelCopy } from './pixel-copy.ts';
import { SceneWatch } from './scene-watch.ts';
import { YieldingResolution } from './yielding-resolution.ts';

/** Milliseconds from one of the display's frames to the next, as most displays have them. */
const frameMs = 1000 / 60;
/**
 * Maximum pixels of a still picture per page pixel, along one side: it gives smooth edges. The total is
 * limited, because the next movement of the head waits until the picture is drawn.
 */
const sharpest = 2;
const maxSharpPixels = 1_500_000;

/**
 * Draws a head without a graphics card. The page contains a plain canvas as small as the head. The page's
 * background surrounds it, so that the processor need not draw, read back and composite it sixty times a
 * second. The drawing itself happens off screen, see `PixelCopy`.
 *
 * @param scene the head, whose bone `moved` turns it
 * @param drive puts the current face onto the head; seconds since the last call
 * @param quality range of resolutions
 * @param onDrawn called for each drawn frame with the milliseconds since the last; null if nothing was to be
 *   drawn before
 */
export function SoftwareStage({
  scene,
  moved,
  drive,
  onDrawn,
  quality,
}: {
  scene: Object3D;
  moved: Object3D | null;
  drive: (seconds: number) => void;
  onDrawn?: ((milliseconds: number | null) => void) | undefined;
  quality: Settings['drawQuality'];
}) {
  const { gl, camera } = useThree();
  const surface = useRef<{
    canvas: HTMLCanvasElement;
    copy: PixelCopy;
    watch: SceneWatch;
    drawSoon: () => void;
  }>(null);
  const drawn = useRef<{ area: Area; resolution: number; stage: StageSize } | null>(null);
  const last = useRef<number | null>(null);
  const isDue = useRef(false);
  const isSharp = useRef(false);
  const driven = useRef(Number.NaN);
  const draw = useRef<() => void>(() => undefined);
  const resolution = useMemo(() => new YieldingResolution(quality), [quality]);
  const corners = useMemo(() => cornersOf(scene, moved), [scene, moved]);
  useEffect(() => {
    const hidden = gl.domElement;
    const canvas = document.createElement('canvas');
    canvas.style.position = 'absolute';
    canvas.dataset.speaking = 'true';
    // What is read back by the processor is best kept where it is.
    const brush = canvas.getContext('2d', { willReadFrequently: true })!;
    const copy = new PixelCopy(gl.getContext() as WebGL2RenderingContext, brush);
    const channel = new MessageChannel();
    channel.port1.onmessage = () => draw.current();
    const drawSoon = (): void => channel.port2.postMessage(null);
    surface.current = { canvas, copy, watch: new SceneWatch(), drawSoon };
    hidden.before(canvas);
    hidden.style.display = 'none';
    return () => {
      channel.port1.close();
      copy.close();
      canvas.remove();
      hidden.style.display = '';
      surface.current = null;
      drawn.current = null;
      (camera as PerspectiveCamera).clearViewOffset();
    };
  }, [camera, gl]);
  /** Fits what is drawn to the head as it stands now. @param sharp more pixels than the page has */
  const frame = (stage: StageSize, sharp: boolean): Area => {
    const eye = camera as PerspectiveCamera;
    const was = drawn.current;
    const isSameStage = was?.stage.width === stage.width && was.stage.height === stage.height;
    const area = areaToDraw(isSameStage ? was.area : null, coveredArea(corners(), eye, stage));
    const ratio = sharp ? sharpRatio(area, resolution.now) : resolution.now;
    if (!isSameStage || area !== was.area || ratio !== was.resolution) {
      drawn.current = { area, resolution: ratio, stage };
      gl.setPixelRatio(ratio);
      gl.setSize(area.width, area.height, false);
      eye.setViewOffset(stage.width, stage.height, area.left, area.top, area.width, area.height);
    }
    return area;
  };
  // A priority above 0 takes the drawing over from react-three-fiber.
  useFrame(({ size, scene: whole }) => {
    const at = surface.current;
    const stage = { width: Math.round(size.width), height: Math.round(size.height) };
    if (!at || stage.width === 0 || stage.height === 0) return;
    isDue.current = true;
    draw.current = () => {
      if (surface.current !== at || at.copy.isBusy || !isDue.current) return;
      isDue.current = false;
      const begun = performance.now();
      drive(Number.isNaN(driven.current) ? 0 : (begun - driven.current) / 1000);
      driven.current = begun;
      camera.updateMatrixWorld();
      scene.updateWorldMatrix(true, true);
      const seen = at.watch.observe(scene, camera as PerspectiveCamera, stage, begun);
      const sharp = seen === 'is still' && quality !== 'low';
      if (seen !== 'moves' && (isSharp.current || !sharp)) {
        last.current = null;
        return;
      }
      isSharp.current = sharp;
      const area = frame(stage, sharp);
      gl.render(whole, camera);
      at.copy.begin(() => {
        const now = performance.now();
        if (!sharp) resolution.took(now - begun, frameMs);
        position(at.canvas, area);
        onDrawn?.(last.current === null ? null : now - last.current);
        last.current = now;
        // A frame that fell due meanwhile is drawn as soon as this one is put:
        // to wait for the next would halve the rate.
        if (isDue.current) at.drawSoon();
      });
    };
    // Not here: the picture that is on the page's canvas since the
    // last frame would wait for this one's drawing.
    at.drawSoon();
  }, 1);
  return null;
}

const sharpRatio = ({ width, height }: Area, min: number): number =>
  Math.max(min, Math.min(sharpest, Math.sqrt(maxSharpPixels / (width * height))));

function position({ style }: HTMLCanvasElement, { left, top, width, height }: Area): void {
  const wanted = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  for (const [name, value] of Object.entries(wanted) as [keyof typeof wanted, string][])
    if (style[name] !== value) style[name] = value;
}
