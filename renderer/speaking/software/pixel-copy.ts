/**
 * Copies WebGL's picture to a plain canvas without blocking.
 *
 * If the processor composites pages, a WebGL canvas makes the page's thread wait for drawing and reading
 * back, sixty times a second. Sound and faces that pass through the page wait, too. Reading into a buffer,
 * and fetching it when a fence signals completion, costs the page's thread only a millisecond.
 */

/** Pictures on their way at once, at most. */
const maxInFlight = 2;
/** The minimum over so many pictures estimates the time of one that doesn't queue. */
const remembered = 20;
/** Milliseconds that a second picture is held back at most: a busy processor may let none be quick. */
const maxHeldBack = 25;
/** Milliseconds between two checks of a fence. */
const lookMs = 1;
/**
 * Share of the recent copy time after which a fence is first checked: each check is a task that delays sound.
 */
const firstLook = 0.7;
/** Share of the newest picture in what pictures take. */
const newestShare = 0.1;

interface Picture {
  buffer: WebGLBuffer;
  fence: WebGLSync;
  width: number;
  height: number;
  begunAt: number;
  onCopied: () => void;
}

/**
 * Starts a second picture while one is in flight, but not before the first could be complete. On a busy
 * processor a picture mostly waits, so the next one can overlap. If drawing itself takes longer than a frame,
 * the next one would queue behind it and both would be late.
 */
export class PixelCopy {
  readonly #gl: WebGL2RenderingContext;
  readonly #to: CanvasRenderingContext2D;
  readonly #spare: WebGLBuffer[];
  readonly #bytes = new Map<WebGLBuffer, number>();
  /** Oldest first. */
  readonly #pending: Picture[] = [];
  readonly #took: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * Nested timers are clamped to 4 ms; one set from a message handler is not.
   */
  readonly #again = new MessageChannel();
  #image = new ImageData(1, 1);
  #rows = new Uint8Array(4);
  /** Milliseconds that pictures take from being drawn to being there. */
  #usual = 0;

  constructor(gl: WebGL2RenderingContext, to: CanvasRenderingContext2D) {
    this.#gl = gl;
    this.#to = to;
    this.#spare = Array.from({ length: maxInFlight }, () => gl.createBuffer());
    this.#again.port1.onmessage = () => {
      if (this.#pending.length > 0) this.#timer ??= setTimeout(this.#poll, lookMs);
    };
  }

  /** Whether another picture would stand behind one that is on its way. */
  get isBusy(): boolean {
    const newest = this.#pending.at(-1);
    if (!newest) return false;
    return (
      this.#spare.length === 0 || performance.now() - newest.begunAt < Math.min(maxHeldBack, ...this.#took)
    );
  }

  /**
   * Begins to copy what has just been drawn. `onCopied` is called when its
   * pixels are on the canvas, which has their size.
   * @throws where it is busy
   */
  begin(onCopied: () => void): void {
    const gl = this.#gl;
    const buffer = this.#spare.pop();
    if (!buffer) throw new Error('Too many pictures are on their way');
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    const bytes = width * height * 4;
    if (this.#bytes.get(buffer) !== bytes) gl.bufferData(gl.PIXEL_PACK_BUFFER, bytes, gl.STREAM_READ);
    this.#bytes.set(buffer, bytes);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    // A lost context gives no fence and no more pictures; its canvas reports the loss.
    if (!fence) return;
    this.#pending.push({ buffer, fence, width, height, begunAt: performance.now(), onCopied });
    this.#lookAfter(firstLook * this.#usual);
  }

  #lookAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(this.#poll, Math.max(lookMs, milliseconds));
  }

  readonly #poll = (): void => {
    this.#timer = undefined;
    const gl = this.#gl;
    const [picture] = this.#pending;
    if (!picture || gl.isContextLost()) return;
    if (gl.getSyncParameter(picture.fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      this.#again.port2.postMessage(null);
      return;
    }
    this.#pending.shift();
    gl.deleteSync(picture.fence);
    const took = performance.now() - picture.begunAt;
    this.#usual += (took - this.#usual) * newestShare;
    this.#took.push(took);
    if (this.#took.length > remembered) this.#took.shift();
    this.#put(picture);
    this.#spare.push(picture.buffer);
    picture.onCopied();
    const [next] = this.#pending;
    if (next) this.#lookAfter(firstLook * this.#usual - (performance.now() - next.begunAt));
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
    for (const { fence, buffer } of this.#pending.splice(0)) {
      this.#gl.deleteSync(fence);
      this.#gl.deleteBuffer(buffer);
    }
    for (const buffer of this.#spare.splice(0)) this.#gl.deleteBuffer(buffer);
  }
}
