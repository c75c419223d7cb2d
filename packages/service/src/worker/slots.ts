/**
 * The slots of a worker: several heads at the same time, or one alone if a maker died while making it,
 * because it may be the cause.
 */
export class Slots {
  readonly #max: number;
  readonly #waiting: { isAlone: boolean; go: () => void }[] = [];
  #taken = 0;
  #isAlone = false;

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves when a slot is free; `leave` frees it again. First come, first served. */
  enter(isAlone = false): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ isAlone, go });
      this.#admit();
    });
  }

  leave(): void {
    this.#taken -= 1;
    this.#isAlone = false;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const isRoom = next.isAlone ? this.#taken === 0 : !this.#isAlone && this.#taken < this.#max;
      if (!isRoom) return;
      this.#waiting.shift();
      this.#taken += 1;
      this.#isAlone = next.isAlone;
      next.go();
    }
  }
}
