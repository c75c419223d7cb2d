import type { Clock } from '@likeness/node-kit/clock.ts';
import type { headStages } from '#contract';
import type { JobRow } from '../jobs/job_row.ts';

/** A running job. */
export interface RunningJob {
  job: JobRow;
  controller: AbortController;
  ended: Promise<void>;
  /** Downloaded fraction, 0..1; null if unknown. */
  fraction: number | null;
  /** The stage that the engine reports. */
  stage: { name: (typeof headStages)[number]; progress: number } | null;
  /**
   * When making began (monotonic clock): at the submission or, if the engine had other jobs first, when they
   * finished. Null if it has not begun, or began in an earlier run.
   */
  madeSince: number | null;
}

/** The running jobs, and which of them a connection makes now. */
export class RunningJobs {
  readonly #jobs = new Map<string, RunningJob>();
  readonly #options: { readonly clock: Pick<Clock, 'elapsed'> };
  /** Heads that a connection makes concurrently, if known. */
  readonly #makers = new Map<string, number>();

  constructor(options: { readonly clock: Pick<Clock, 'elapsed'> }) {
    this.#options = options;
  }

  get size(): number {
    return this.#jobs.size;
  }

  has(id: string): boolean {
    return this.#jobs.has(id);
  }

  get(id: string): RunningJob | undefined {
    return this.#jobs.get(id);
  }

  all(): RunningJob[] {
    return [...this.#jobs.values()];
  }

  ofProfile(profileId: string): RunningJob[] {
    return this.all().filter(({ job }) => job.profileId === profileId);
  }

  add(job: JobRow, controller: AbortController): RunningJob {
    const ended = Promise.resolve();
    const running = { job, controller, ended, fraction: null, stage: null, madeSince: null };
    this.#jobs.set(job.id, running);
    return running;
  }

  remove(id: string): void {
    this.#jobs.delete(id);
  }

  /** @param makers - Heads that the connection makes concurrently; undefined: unknown. */
  setMakers(profileId: string, makers: number | undefined): void {
    if (makers !== undefined) this.#makers.set(profileId, makers);
  }

  makers(profileId: string): number | undefined {
    return this.#makers.get(profileId);
  }

  secondsMade({ madeSince }: RunningJob): number | null {
    return madeSince === null ? null : (this.#options.clock.elapsed() - madeSince) / 1000;
  }

  /** Jobs of a profile that the server has not finished, in the order of their submission. */
  atServer(profileId: string): RunningJob[] {
    return this.ofProfile(profileId)
      .filter(({ job }) => job.state === 'waiting')
      .sort((a, b) => (a.job.submittedAt ?? 0) - (b.job.submittedAt ?? 0) || a.job.position - b.job.position);
  }

  /** Whether a submitted job waits behind others at the server. */
  isInLine(running: RunningJob): boolean {
    const makers = this.makers(running.job.profileId);
    return makers !== undefined && this.atServer(running.job.profileId).indexOf(running) >= makers;
  }

  /**
   * A slot at the server has become free: its next job is being made from now on.
   *
   * @returns Ids of those jobs.
   */
  moveUp(profileId: string): string[] {
    const makers = this.makers(profileId);
    if (makers === undefined) return [];
    const begun = this.atServer(profileId)
      .slice(0, makers)
      .filter(({ madeSince }) => madeSince === null);
    for (const running of begun) running.madeSince = this.#options.clock.elapsed();
    return begun.map(({ job }) => job.id);
  }
}
