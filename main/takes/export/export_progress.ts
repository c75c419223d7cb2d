import type { EventPayload } from '#contract';

type Progress = EventPayload<'takeExports', 'progress'>;

/** Seconds of work before which nothing is said of how long the rest takes. */
const minElapsed = 0.5;

/** Counts what an export has done and how long the rest will take, by the length of the takes. */
export class ExportProgress {
  readonly #total: number;
  readonly #weights: ReadonlyMap<string, number>;
  readonly #clock: () => number;
  readonly #report: (progress: Progress) => void;
  readonly #begun: number;
  readonly #whole: number;
  #done = 0;
  #past = 0;

  /**
   * @param takes with their length, seconds
   * @param formats how many each is written in
   * @param clock milliseconds
   */
  constructor(
    takes: readonly { id: string; seconds: number }[],
    formats: number,
    clock: () => number,
    report: (progress: Progress) => void,
  ) {
    this.#total = takes.length * formats;
    // A take without length has its head and its files, too.
    this.#weights = new Map(takes.map(({ id, seconds }) => [id, seconds + 1]));
    this.#whole = takes.reduce((sum, { seconds }) => sum + seconds + 1, 0) * formats;
    this.#clock = clock;
    this.#report = report;
    this.#begun = clock();
  }

  begin(name: string): void {
    const took = (this.#clock() - this.#begun) / 1000;
    const left = this.#past > 0 ? (took * (this.#whole - this.#past)) / this.#past : 0;
    const secondsLeft = this.#past > 0 && took >= minElapsed ? left : null;
    this.#report({ done: this.#done, total: this.#total, name, secondsLeft });
  }

  /** Some formats of a take are written, or left out. */
  passed(id: string, name: string, formats = 1): void {
    this.#done += formats;
    this.#past += (this.#weights.get(id) ?? 1) * formats;
    this.begin(name);
  }
}
