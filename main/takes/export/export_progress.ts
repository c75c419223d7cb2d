import type { EventPayload } from '#contract';

type Progress = EventPayload<'takeExports', 'progress'>;

/** Seconds of work before a remaining time is estimated. */
const minElapsed = 0.5;

/** Counts an export's progress and estimates the remaining time, by the length of the takes. */
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
   * @param formats number per take
   * @param clock milliseconds
   */
  constructor(
    takes: readonly { id: string; seconds: number }[],
    formats: number,
    clock: () => number,
    report: (progress: Progress) => void,
  ) {
    this.#total = takes.length * formats;
    // A take without length still has its head and its files.
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

  /** Counts formats of a take that are written or skipped. */
  passed(id: string, name: string, formats = 1): void {
    this.#done += formats;
    this.#past += (this.#weights.get(id) ?? 1) * formats;
    this.begin(name);
  }
}
