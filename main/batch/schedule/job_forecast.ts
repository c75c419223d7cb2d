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

/** Estimates the progress and remaining time of jobs from the durations of earlier ones. */
export class JobForecast {
  readonly #options: JobForecastOptions;

  constructor(options: JobForecastOptions) {
    this.#options = options;
  }

  /** Progress of a job, 0..1. */
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
    // With an unknown duration, the job counts as half done.
    return 0.15 + 0.75 * (each ? Math.min(0.95, made / each) : 0.5);
  }

  /** Time until a job is done; null if unknown, or if the job cannot continue without the user. */
  secondsLeft(job: JobRow): number | null {
    if (finishedStates.includes(job.state) || job.state === 'uncertain') return null;
    const learned = this.#options.durations.learned(job.profileId);
    if (!learned) return null;
    const { jobs, running: all } = this.#options;
    if (job.state === 'queued' || job.state === 'checking') {
      // Queue positions are integers when jobs are queued: accurate enough, without a count for each of
      // thousands.
      const ahead = Math.max(0, job.position - jobs.firstPosition());
      return Math.max(learned.each, (ahead + all.size + 1) * learned.between);
    }
    const running = all.get(job.id);
    const makers = all.makers(job.profileId);
    const index = running && job.state === 'waiting' ? all.atServer(job.profileId).indexOf(running) : -1;
    // Jobs run in rounds of as many as there are makers, so that each round takes as long as one job.
    const rounds = makers === undefined || index < makers ? 0 : Math.floor(index / makers);
    const made = running ? (all.secondsMade(running) ?? 0) : 0;
    return rounds * learned.each + Math.max(learned.each - made, learned.each * 0.1);
  }

  /** Time until all jobs that can continue without the user are done; null if unknown. */
  secondsForAll(): number | null {
    const { jobs, running, durations } = this.#options;
    let seconds: number | null = null;
    for (const { profileId, count } of jobs.openByProfile()) {
      const learned = durations.learned(profileId);
      // Profiles work concurrently: the slowest decides.
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
