/**
 * Brings what WebGL has drawn onto a plain canvas without waiting for it.
 *
 * Where pages are laid together by the processor, a WebGL canvas in the page makes the page's thread wait until its
 * picture is drawn and read back, sixty times a second: sound and faces that pass through the page wait, too. Reading
 * into a buffer and fetching that when a fence says it is full costs the page's thread a millisecond.
 */

/** Milliseconds between two looks at a fence. */
const lookMs = 1;
/** Share of what pictures took lately after which a fence is looked at first: each look is a task that sound waits for. */
const firstLook = 0.7;
/** Share of the newest picture in what pictures take. */
const newestShare = 0.1;

interface Picture {
  fence: WebGLSync;
  width: number;
  height: number;
  begunAt: number;
  onCopied: () => void;
}

/**
 * One picture is on its way at a time. A second one that is drawn while the first is read back makes more of them where
 * drawing takes longer than a frame, and each of them late by two: what a mouth needs is the other way round.
 */
export class PixelCopy {
  readonly #gl: WebGL2RenderingContext;
  readonly #to: CanvasRenderingContext2D;
  readonly #buffer: WebGLBuffer;
  #bufferBytes = 0;
  #underWay: Picture | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A timer set by a timer, and so on, waits for 4 ms; one that is set by a message waits for as long as it says. */
  readonly #again = new MessageChannel();
  #image = new ImageData(1, 1);
  #rows = new Uint8Array(4);
  /** Milliseconds that pictures take from being drawn to being there. */
  #usual = 0;

  constructor(gl: WebGL2RenderingContext, to: CanvasRenderingContext2D) {
    this.#gl = gl;
    this.#to = to;
    this.#buffer = gl.createBuffer();
    this.#again.port1.onmessage = () => {
      if (this.#underWay) this.#timer ??= setTimeout(this.#look, lookMs);
    };
  }

  /** Whether a picture is on its way. */
  get isBusy(): boolean {
    return this.#underWay !== undefined;
  }

  /**
   * Begins to copy what has just been drawn. `onCopied` is called when its pixels are on the canvas, which has their size.
   * @throws where it is busy
   */
  begin(onCopied: () => void): void {
    if (this.#underWay) throw new Error('A picture is on its way');
    const gl = this.#gl;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#buffer);
    const bytes = width * height * 4;
    if (bytes !== this.#bufferBytes) gl.bufferData(gl.PIXEL_PACK_BUFFER, bytes, gl.STREAM_READ);
    this.#bufferBytes = bytes;
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    // A lost context gives no fence, and no more pictures: who drew is told of the loss by its canvas.
    if (!fence) return;
    this.#underWay = { fence, width, height, begunAt: performance.now(), onCopied };
    this.#timer ??= setTimeout(this.#look, Math.max(lookMs, firstLook * this.#usual));
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    const gl = this.#gl;
    const picture = this.#underWay;
    if (!picture || gl.isContextLost()) return;
    if (gl.getSyncParameter(picture.fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      this.#again.port2.postMessage(null);
      return;
    }
    this.#underWay = undefined;
    gl.deleteSync(picture.fence);
    this.#usual += (performance.now() - picture.begunAt - this.#usual) * newestShare;
    this.#put(picture);
    picture.onCopied();
  };

  #put({ width, height }: Picture): void {
    const gl = this.#gl;
    if (this.#image.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#rows = new Uint8Array(width * height * 4);
    }
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#buffer);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#rows);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    // WebGL's first row is the lowest.
    const row = width * 4;
    for (let y = 0; y < height; y++)
      this.#image.data.set(this.#rows.subarray((height - 1 - y) * row, (height - y) * row), y * row);
    const { canvas } = this.#to;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    this.#to.putImageData(this.#image, 0, 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#again.port1.close();
    if (this.#underWay) this.#gl.deleteSync(this.#underWay.fence);
    this.#underWay = undefined;
    this.#gl.deleteBuffer(this.#buffer);
  }
}
