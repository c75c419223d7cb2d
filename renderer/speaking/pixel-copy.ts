/**
 * Brings what WebGL has drawn onto a plain canvas without waiting for it.
 *
 * Where pages are laid together by the processor, a WebGL canvas in the page makes the page's thread wait until its
 * picture is drawn and read back, sixty times a second: sound and faces that pass through the page wait, too. Reading
 * into a buffer and fetching that when a fence says it is full costs the page's thread a millisecond.
 */

/** Pictures on their way at once: while one is read back, the next is drawn. */
const mostUnderWay = 2;
/** Milliseconds between two looks at a fence. */
const lookMs = 1;

interface Picture {
  buffer: WebGLBuffer;
  fence: WebGLSync;
  width: number;
  height: number;
  onCopied: () => void;
}

export class PixelCopy {
  readonly #gl: WebGL2RenderingContext;
  readonly #to: CanvasRenderingContext2D;
  readonly #spare: WebGLBuffer[];
  /** Oldest first. */
  readonly #underWay: Picture[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A timer set by a timer, and so on, waits for 4 ms; one that is set by a message waits for as long as it says. */
  readonly #again = new MessageChannel();
  #image = new ImageData(1, 1);
  #rows = new Uint8Array(4);

  constructor(gl: WebGL2RenderingContext, to: CanvasRenderingContext2D) {
    this.#gl = gl;
    this.#to = to;
    this.#spare = Array.from({ length: mostUnderWay }, () => gl.createBuffer());
    this.#again.port1.onmessage = () => {
      if (this.#underWay.length > 0) this.#timer ??= setTimeout(this.#look, lookMs);
    };
  }

  /** Whether as many pictures are on their way as can be. */
  get isBusy(): boolean {
    return this.#spare.length === 0;
  }

  /**
   * Begins to copy what has just been drawn. `onCopied` is called when its pixels are on the canvas, which has their size.
   * @throws where it is busy
   */
  begin(onCopied: () => void): void {
    const gl = this.#gl;
    const buffer = this.#spare.pop();
    if (!buffer) throw new Error('Too many pictures are on their way');
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, width * height * 4, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    // A lost context gives no fence, and no more pictures: who drew is told of the loss by its canvas.
    if (!fence) return;
    this.#underWay.push({ buffer, fence, width, height, onCopied });
    this.#timer ??= setTimeout(this.#look, lookMs);
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    const gl = this.#gl;
    const [oldest] = this.#underWay;
    if (!oldest || gl.isContextLost()) return;
    if (gl.getSyncParameter(oldest.fence, gl.SYNC_STATUS) === gl.SIGNALED) {
      this.#underWay.shift();
      gl.deleteSync(oldest.fence);
      this.#put(oldest);
      this.#spare.push(oldest.buffer);
      oldest.onCopied();
    }
    if (this.#underWay.length > 0) this.#again.port2.postMessage(null);
  };

  #put({ buffer, width, height }: Picture): void {
    const gl = this.#gl;
    if (this.#image.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#rows = new Uint8Array(width * height * 4);
    }
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
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
    for (const { fence, buffer } of this.#underWay.splice(0)) {
      this.#gl.deleteSync(fence);
      this.#gl.deleteBuffer(buffer);
    }
    for (const buffer of this.#spare.splice(0)) this.#gl.deleteBuffer(buffer);
  }
}
