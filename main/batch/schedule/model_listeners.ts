import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { Profiles } from '../ports.ts';

interface Listener {
  /** Models that are waited for; what wakes who waits for one now, and whether it changed since it was asked for. */
  models: Map<string, { wake: AbortController; hasChanged: boolean }>;
  isOpen: boolean;
  hasBegun: boolean;
  closing: AbortController;
}

const again = { first: 2000, longest: 60_000 };

/**
 * Listens to servers that tell of their models (extension `model-events`), while some are waited for: one connection a
 * profile. An event only wakes who waits, and the server is asked as ever, so that nothing depends on it.
 */
export class ModelListeners {
  readonly #profiles: Pick<Profiles, 'service'>;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #byProfile = new Map<string, Listener>();
  /** Profiles whose server has answered: what it can is known without asking. */
  readonly #answered = new Set<string>();

  constructor(profiles: Pick<Profiles, 'service'>, clock: Pick<Clock, 'wait'>) {
    this.#profiles = profiles;
    this.#clock = clock;
  }

  /** Wants to hear of a model. Again for the same: nothing new. */
  follow(profileId: string, modelId: string): void {
    let listener = this.#byProfile.get(profileId);
    if (!listener) {
      listener = { models: new Map(), isOpen: false, hasBegun: false, closing: new AbortController() };
      this.#byProfile.set(profileId, listener);
    }
    if (!listener.models.has(modelId))
      listener.models.set(modelId, { wake: new AbortController(), hasChanged: false });
    if (this.#answered.has(profileId)) this.#begin(profileId);
  }

  /** A server has answered a call. */
  answered(profileId: string): void {
    this.#answered.add(profileId);
    this.#begin(profileId);
  }

  leave(profileId: string, modelId: string): void {
    const listener = this.#byProfile.get(profileId);
    if (!listener?.models.delete(modelId) || listener.models.size > 0) return;
    this.#byProfile.delete(profileId);
    listener.closing.abort();
  }

  /** Whether the server would tell now. */
  hears(profileId: string): boolean {
    return this.#byProfile.get(profileId)?.isOpen ?? false;
  }

  /**
   * A model is about to be waited for. @returns What is aborted when it changes; already, if it has since the last
   * `asks`.
   */
  changeOf(profileId: string, modelId: string): AbortSignal {
    const model = this.#byProfile.get(profileId)?.models.get(modelId);
    return model?.hasChanged ? AbortSignal.abort() : (model?.wake.signal ?? new AbortController().signal);
  }

  /** A model is about to be asked for: what changes from now on is news. */
  asks(profileId: string, modelId: string): void {
    const model = this.#byProfile.get(profileId)?.models.get(modelId);
    if (model) model.hasChanged = false;
  }

  close(): void {
    for (const { closing } of this.#byProfile.values()) closing.abort();
    this.#byProfile.clear();
  }

  #begin(profileId: string): void {
    const listener = this.#byProfile.get(profileId);
    if (!listener || listener.hasBegun) return;
    listener.hasBegun = true;
    void this.#listen(profileId, listener);
  }

  async #listen(profileId: string, listener: Listener): Promise<void> {
    const { signal } = listener.closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        const service = await this.#profiles.service(profileId);
        if (!(await service.extensions({ signal })).modelEvents) return;
        const onOpen = (): void => {
          listener.isOpen = true;
          failures = 1;
        };
        for await (const modelId of service.modelEvents({ signal, onOpen })) {
          const model = listener.models.get(modelId);
          if (!model) continue;
          model.hasChanged = true;
          model.wake.abort();
          model.wake = new AbortController();
        }
      } catch {
        // No key, no address, no engine: the questions tell of it.
      }
      listener.isOpen = false;
      await this.#clock.wait(backoffPause(failures, again), signal).catch(() => undefined);
    }
  }
}
