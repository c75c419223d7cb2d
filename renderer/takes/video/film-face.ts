/** A film's face, read from its file as far as it is drawn: that of hours is never in memory as a whole. */
import { DelimitedReader } from '@likeness/proto/framing.ts';
import type { FaceMoment } from '@likeness/proto/live/face_state.ts';
import { ArrivalReader, maxMessageBytes, readArrival } from '@likeness/proto/take_stream.ts';

/** Bytes per request. */
const partBytes = 1024 * 1024;

export class FilmFace {
  readonly #url: string;
  readonly #delimited = new DelimitedReader(maxMessageBytes);
  readonly #arrivals = new ArrivalReader();
  #names: readonly string[] = [];
  /** Where in the file the next part begins; null: there is no more. */
  #next: number | null = 0;
  /** The last frame that was read, and how many were before it. */
  #last: { index: number; frame: FaceMoment } | null = null;

  private constructor(url: string) {
    this.#url = url;
  }

  /** @param url of a `face.pb` with one frame for each of the film's @throws Error where it can't be fetched */
  static async open(url: string): Promise<FilmFace> {
    const face = new FilmFace(url);
    await face.frame(0);
    return face;
  }

  get channelNames(): readonly string[] {
    return this.#names;
  }

  /**
   * @param index not before that of the last call
   * @returns the last frame where there are fewer; undefined where there is none
   * @throws Error where it can't be fetched
   */
  async frame(index: number): Promise<FaceMoment | undefined> {
    while ((this.#last?.index ?? -1) < index) {
      const message = this.#delimited.next();
      if (message) this.#take(message);
      else if (!(await this.#fetchPart())) break;
    }
    return this.#last?.frame;
  }

  #take(message: Uint8Array): void {
    const { header, frame } = this.#arrivals.read(readArrival(message));
    if (header) this.#names = header.channelNames;
    if (frame) this.#last = { index: (this.#last?.index ?? -1) + 1, frame };
  }

  /** @returns false where there is no more */
  async #fetchPart(): Promise<boolean> {
    if (this.#next === null) return false;
    const range = `bytes=${this.#next}-${this.#next + partBytes - 1}`;
    const response = await fetch(this.#url, { headers: { range } });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    const part = new Uint8Array(await response.arrayBuffer());
    this.#delimited.push(part);
    const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? part.length);
    this.#next = this.#next + part.length < size && part.length > 0 ? this.#next + part.length : null;
    return part.length > 0;
  }
}
