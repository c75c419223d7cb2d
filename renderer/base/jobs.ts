/** The part of Jobs that main doesn't know: this page's running work, and outcomes. */
import { createStore } from './store.ts';

/** Work that the page does itself; it goes on while another page is shown. */
export interface PageJob {
  kind: 'film' | 'take';
  /** The take's name, or the name of the audio file that becomes one. */
  name: string;
  /** 0..1 */
  share: number;
  secondsLeft: number | null;
  /** How many of its kind come after it. */
  waiting: number;
  cancel(): void;
}

const running = createStore<readonly PageJob[]>([]);
export const usePageJobs = (): readonly PageJob[] => running.use();

/** Reports how far a kind of work is; null: it is over. */
export function reportJob(kind: PageJob['kind'], job: Omit<PageJob, 'kind'> | null): void {
  const others = running.get().filter((one) => one.kind !== kind);
  running.set(job ? [...others, { kind, ...job }] : others);
}

/** A failure, or a file that was written. It stays until the person clears it. */
export interface Outcome {
  id: string;
  failed: boolean;
  title: string;
  text: string;
  /** A button that helps. */
  action?: { label: string; act: () => void } | undefined;
}

const maxOutcomes = 30;
export const outcomes = createStore<readonly Outcome[]>([]);

/** Keeps an outcome, the newest first; one that happens again is not listed twice. */
export function keepOutcome(outcome: Outcome): void {
  const others = outcomes.get().filter(({ id }) => id !== outcome.id);
  outcomes.set([outcome, ...others].slice(0, maxOutcomes));
}
export const dropOutcome = (id: string): void => outcomes.set(outcomes.get().filter((one) => one.id !== id));
export const clearOutcomes = (): void => outcomes.set([]);

/** Whether the popover is open. */
export const jobsOpen = createStore(false);
export const toggleJobs = (): void => jobsOpen.set(!jobsOpen.get());
