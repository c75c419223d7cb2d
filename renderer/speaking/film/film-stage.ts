/** Draws a take on a head, any frame of it, into pixels. Runs in a worker: nothing of the page's is used. */

import { blendFrames, type FaceMoment, restingFace } from '@likeness/proto/live/face_state.ts';
import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import {
  ACESFilmicToneMapping,
  Box3,
  LightProbe,
  PerspectiveCamera,
  Scene,
  type Vector3,
  WebGLRenderer,
} from 'three';
import { rigs } from '../../viewer/light/light-rigs.ts';
import { lampsOf, roomLight, roomReflections } from '../../viewer/light/rig-lights.ts';
import { disposeHead, type LoadedHead, loadHead } from '../../viewer/load-head.ts';
import { type Area, areaToDraw, coveredArea } from '../drawn-area.ts';
import { FaceDriver } from '../face-driver.ts';
import { plainFaceStyle } from '../face-style.ts';
import { measuresOf } from '../framing.ts';
import { cornersOf } from '../head-corners.ts';
import { shadeMouth } from '../mouth-shade.ts';
import { drawsOnProcessor } from '../software/software-renderer.ts';
import { lightAtVertices } from '../software/vertex-lighting.ts';
import { azimuthAt, filmCamera, filmFieldOfView } from './film-framing.ts';

/** The drawn head, on a transparent background. */
export interface DrawnHead {
  /** Where in the picture it is; outside nothing is drawn. */
  area: Area;
  /** RGBA of the area, colours multiplied by alpha, the lowest row first. */
  pixels: Uint8Array;
}

/** How the head is framed and drawn. */
type StageJob = Pick<FilmJob, 'width' | 'height' | 'framing' | 'camera' | 'frames' | 'detail' | 'drives'>;

export interface FilmStageOptions {
  headUrl: string;
  job: StageJob;
  channelNames: readonly string[];
  signal: AbortSignal;
}

export class FilmStage {
  readonly #job: StageJob;
  readonly #channelNames: readonly string[];
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera: PerspectiveCamera;
  readonly #head: LoadedHead;
  readonly #driver: FaceDriver;
  readonly #corners: () => Vector3[];
  readonly #face = restingFace();
  readonly #buffers: WebGLBuffer[];
  #view: { up: number; distance: number };
  #area: Area | null = null;
  #pixels = new Uint8Array(0);

  private constructor(
    { job, channelNames }: FilmStageOptions,
    { renderer, head, isQuick }: { renderer: WebGLRenderer; head: LoadedHead; isQuick: boolean },
  ) {
    this.#job = job;
    this.#channelNames = channelNames;
    this.#renderer = renderer;
    this.#head = head;
    shadeMouth(head.scene);
    if (isQuick) lightAtVertices(head.scene);
    const box = new Box3().setFromObject(head.scene, true);
    this.#driver = new FaceDriver(head.scene, head.bones);
    this.#driver.setDrives(job.drives);
    const [wide, deep] = [box.max.x - box.min.x, box.max.z - box.min.z];
    const measures = {
      ...measuresOf(head, box, this.#driver.eyeLevel),
      across: job.camera === 'front' ? wide : Math.hypot(wide, deep),
    };
    this.#view = filmCamera(job.framing, measures, job.width / job.height);
    const { distance } = this.#view;
    this.#camera = new PerspectiveCamera(
      filmFieldOfView,
      job.width / job.height,
      distance / 50,
      distance * 20,
    );
    head.scene.position.copy(head.middle).negate();
    this.#scene.add(head.scene);
    this.#scene.add(...lampsOf('studio'));
    // A skin's own matrices follow only this; its corners would be where it was loaded.
    this.#scene.updateMatrixWorld(true);
    this.#corners = cornersOf(head.scene, this.#driver.head);
    const gl = renderer.getContext();
    this.#buffers = [gl.createBuffer(), gl.createBuffer()];
  }

  /** @throws Error where the head can't be loaded, or there is no WebGL */
  static async open(options: FilmStageOptions): Promise<FilmStage> {
    const { headUrl, job, signal } = options;
    const head = await loadHead(headUrl, signal);
    const canvas = new OffscreenCanvas(16, 16);
    const renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true, premultipliedAlpha: false });
    renderer.toneMapping = ACESFilmicToneMapping;
    renderer.setClearColor(0x000000, 0);
    const isQuick =
      job.detail === 'quick' || (job.detail === 'auto' && drawsOnProcessor(renderer.getContext()));
    const stage = new FilmStage(options, { renderer, head, isQuick });
    stage.#lightRoom(isQuick);
    return stage;
  }

  /**
   * Sets up the light of the environment. The head mirrors it, or, where each pixel is costly, it only lights
   * the head.
   */
  #lightRoom(isQuick: boolean): void {
    const { room } = rigs.studio;
    if (isQuick) {
      this.#scene.add(new LightProbe(roomLight, room));
      return;
    }
    this.#scene.environment = roomReflections(this.#renderer).texture;
    this.#scene.environmentIntensity = room;
  }

  /**
   * Begins to draw a frame; `take` waits for its pixels. At most two are under way.
   *
   * @param turn how many were begun before it
   */
  begin(
    frame: number,
    turn: number,
    moment: FaceMoment | undefined,
  ): Pick<DrawnHead, 'area'> & { slot: number } {
    this.#drive(moment);
    this.#stand(frame);
    const area = this.#frame();
    const { width, height } = area;
    this.#renderer.render(this.#scene, this.#camera);
    const gl = this.#renderer.getContext() as WebGL2RenderingContext;
    const slot = turn % this.#buffers.length;
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#buffers[slot]!);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, width * height * 4, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.flush();
    return { area, slot };
  }

  /** @returns in an array that is used again for the next frame */
  take({ area, slot }: { area: Area; slot: number }): DrawnHead {
    const gl = this.#renderer.getContext() as WebGL2RenderingContext;
    const bytes = area.width * area.height * 4;
    if (this.#pixels.length !== bytes) this.#pixels = new Uint8Array(bytes);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#buffers[slot]!);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#pixels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    if (gl.isContextLost()) throw new Error('The graphics driver stopped drawing.');
    return { area, pixels: this.#pixels };
  }

  #drive(moment: FaceMoment | undefined): void {
    if (!moment) {
      this.#driver.rest();
      return;
    }
    const at = { frame: moment };
    blendFrames(this.#face, this.#channelNames, { from: at, to: at, mix: 0 });
    this.#driver.apply(this.#face, plainFaceStyle, 0);
  }

  #stand(frame: number): void {
    const { up, distance } = this.#view;
    const azimuth = azimuthAt(this.#job.camera, frame, this.#job.frames);
    this.#camera.position.set(distance * Math.sin(azimuth), up, distance * Math.cos(azimuth));
    this.#camera.lookAt(0, up, 0);
    this.#camera.updateMatrixWorld();
  }

  /** Draws no more of the picture than the head covers: the rest would be cleared, smoothed and read for nothing. */
  #frame(): Area {
    const stage = { width: this.#job.width, height: this.#job.height };
    this.#scene.updateMatrixWorld();
    const area = areaToDraw(this.#area, coveredArea(this.#corners(), this.#camera, stage));
    if (area !== this.#area) {
      this.#area = area;
      this.#renderer.setSize(area.width, area.height, false);
      this.#camera.setViewOffset(stage.width, stage.height, area.left, area.top, area.width, area.height);
    }
    return area;
  }

  close(): void {
    disposeHead(this.#head.scene);
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
