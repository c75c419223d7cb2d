import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { LightProbe, PerspectiveCamera, Scene, Vector2, WebGLRenderer } from 'three';
import { rigs } from '../viewer/light/light-rigs.ts';
import { lampsOf, roomLight, roomReflections } from '../viewer/light/rig-lights.ts';
import { disposeHead, loadHead } from '../viewer/load-head.ts';
import { type DrivableHead, headToDrive } from './drivable-head.ts';
import { plainFaceStyle } from './face-style.ts';
import { type Framing, frameOf } from './framing.ts';
import { drawsInSoftware } from './software/software-drawing.ts';

/** Vertical field of view in degrees, as in the studio. */
const fieldOfView = 22;

/** A driven head on a bare canvas, without React or other parts of the studio's page. */
export class PlainStage {
  readonly #canvas: HTMLCanvasElement;
  readonly #face: (at: number) => FaceState | null;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(fieldOfView);
  #head: (DrivableHead & { url: string }) | null = null;
  #loading: AbortController | null = null;
  #framing: Framing = 'shoulders';
  #mirror = false;
  #drawnAt = Number.NaN;

  /** @param face asked at each drawing; milliseconds of the page's clock */
  constructor(canvas: HTMLCanvasElement, face: (at: number) => FaceState | null) {
    this.#canvas = canvas;
    this.#face = face;
    this.#renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !drawsInSoftware });
    this.#scene.add(...lampsOf('studio'));
    this.#lightAround(rigs.studio.room);
    this.#renderer.setAnimationLoop((at) => this.#draw(at));
  }

  setFraming({ framing, mirror }: { framing: Framing; mirror: boolean }): void {
    this.#framing = framing;
    this.#mirror = mirror;
    // Mirrored by the page: what is lit from the left is then lit from the right, as in a mirror.
    this.#canvas.style.transform = mirror ? 'scaleX(-1)' : '';
  }

  /**
   * Shows a head's file; the one that is there stays until it has come.
   *
   * @param drives what moves its shapes
   * @throws Error where it can't be read
   */
  async show(url: string, drives: readonly ShapeDrive[]): Promise<void> {
    this.#loading?.abort();
    if (this.#head?.url === url) {
      this.#head.driver.setDrives(drives);
      return;
    }
    const loading = new AbortController();
    this.#loading = loading;
    const head = await headToDrive(await loadHead(url, loading.signal));
    if (loading.signal.aborted) return disposeHead(head.scene);
    if (this.#head) {
      this.#scene.remove(this.#head.scene);
      disposeHead(this.#head.scene);
    }
    head.driver.setDrives(drives);
    head.scene.position.sub(head.middle);
    this.#scene.add(head.scene);
    this.#head = { ...head, url };
  }

  /** Sets up the light of the environment: reflections with a graphics card, else a light. */
  #lightAround(strength: number): void {
    if (drawsInSoftware) {
      this.#scene.add(new LightProbe(roomLight, strength));
      return;
    }
    this.#scene.environment = roomReflections(this.#renderer).texture;
    this.#scene.environmentIntensity = strength;
  }

  #draw(at: number): void {
    const head = this.#head;
    if (!head) return;
    const seconds = Number.isNaN(this.#drawnAt) ? 0 : (at - this.#drawnAt) / 1000;
    this.#drawnAt = at;
    const face = this.#face(at);
    if (face) head.driver.apply(face, plainFaceStyle, seconds);
    else head.driver.rest();
    this.#fit(head);
    this.#renderer.render(this.#scene, this.#camera);
    this.#canvas.dataset.drawn = String(Number(this.#canvas.dataset.drawn ?? 0) + 1);
  }

  #fit({ measures }: DrivableHead): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const density = Math.min(window.devicePixelRatio, 2);
    const size = this.#renderer.getDrawingBufferSize(bufferSize);
    if (size.x !== Math.floor(width * density) || size.y !== Math.floor(height * density)) {
      this.#renderer.setPixelRatio(density);
      this.#renderer.setSize(width, height, false);
    }
    const { up, distance, azimuth } = frameOf(this.#framing, measures, fieldOfView);
    const side = this.#mirror ? -1 : 1;
    this.#camera.aspect = width / Math.max(1, height);
    this.#camera.near = distance / 50;
    this.#camera.far = distance * 20;
    this.#camera.position.set(side * distance * Math.sin(azimuth), up, distance * Math.cos(azimuth));
    this.#camera.lookAt(0, up, 0);
    this.#camera.updateProjectionMatrix();
  }
}

const bufferSize = new Vector2();
