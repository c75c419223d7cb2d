import type { JobState } from '#contract';
import type { JobDurations } from '../jobs/job_durations.ts';
import type { JobRow } from '../jobs/job_row.ts';
import { finishedStates } from '../jobs/job_state.ts';
import type { JobStore } from '../jobs/job_store.ts';
import type { RunningJob, RunningJobs } from './running_jobs.ts';

export interface JobForecastOptions {
  jobs: JobStore;
  running: RunningJobs;
  durations: JobDurations;
}

/** How far jobs are and how long they will take, by how long others took. */
export class JobForecast {
  readonly #options: JobForecastOptions;

  constructor(options: JobForecastOptions) {
    this.#options = options;
  }

  /** Share of its way that a job has come, 0..1. */
  progressOf(state: JobState, running: RunningJob | undefined): number {
    if (state === 'queued') return 0;
    if (state === 'checking') return 0.05;
    if (state === 'submitting') return 0.1;
    if (state === 'uncertain') return 0.3;
    if (state === 'downloading') return 0.9 + 0.09 * (running?.fraction ?? 0);
    if (state !== 'waiting') return 1;
    if (running?.stage) return 0.15 + 0.75 * running.stage.progress;
    const made = running ? this.#options.running.secondsMade(running) : null;
    const each = running && this.#options.durations.learned(running.job.profileId)?.each;
    if (made === null) return 0.15;
    // Where nothing is known of how long it takes, it comes half the way.
    return 0.15 + 0.75 * (each ? Math.min(0.95, made / each) : 0.5);
  }

  /** Until one job is done; null where nothing is known, or where it has nothing more to do by itself. */
  secondsLeft(job: JobRow): number | null {
    if (finishedStates.includes(job.state) || job.state === 'uncertain') return null;
    const learned = this.#options.durations.learned(job.profileId);
    if (!learned) return null;
    const { jobs, running: all } = this.#options;
    if (job.state === 'queued' || job.state === 'checking') {
      // Places are whole numbers when jobs are queued: near enough, and no count for each of thousands.
      const ahead = Math.max(0, job.position - jobs.firstPosition());
      return Math.max(learned.each, (ahead + all.size + 1) * learned.between);
    }
    const running = all.get(job.id);
    const makers = all.makers(job.profileId);
    const index = running && job.state === 'waiting' ? all.atServer(job.profileId).indexOf(running) : -1;
    // As many as there are makers are made at once, so that each round of them takes as long as one.
    const rounds = makers === undefined || index < makers ? 0 : Math.floor(index / makers);
    const made = running ? (all.secondsMade(running) ?? 0) : 0;
    return rounds * learned.each + Math.max(learned.each - made, learned.each * 0.1);
  }

  /** Until all that goes on by itself is done; null where nothing is known. */
  secondsForAll(): number | null {
    const { jobs, running, durations } = this.#options;
    let seconds: number | null = null;
    for (const { profileId, count } of jobs.openByProfile()) {
      const learned = durations.learned(profileId);
      // Profiles work side by side: the slowest decides.
      if (!learned) continue;
      const makers = running.makers(profileId);
      const made = running
        .ofProfile(profileId)
        .reduce((sum, one) => sum + Math.min(learned.each * 0.9, running.secondsMade(one) ?? 0), 0);
      const left =
        makers === undefined
          ? count * learned.between
          : (count * learned.each - made) / Math.min(makers, count);
      seconds = Math.max(seconds ?? 0, learned.each * 0.1, left);
    }
    return seconds;
  }
}
