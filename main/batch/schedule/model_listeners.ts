import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { Profiles } from '../ports.ts';

interface Listener {
  /**
   * Models that jobs wait for: a function to wake the waiting job, and whether the model changed since the
   * last poll.
   */
  models: Map<string, { wake: AbortController; hasChanged: boolean }>;
  isOpen: boolean;
  hasBegun: boolean;
  closing: AbortController;
}

const again = { first: 2000, longest: 60_000 };

/**
 * Listens for model events of servers (extension `model-events`) while jobs wait, with one connection per
 * profile. An event only wakes the waiting job, which then polls as usual, so nothing depends on events.
 */
export class ModelListeners {
  readonly #profiles: Pick<Profiles, 'service'>;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #byProfile = new Map<string, Listener>();
  /** Profiles whose server has answered: its capabilities are known without a request. */
  readonly #answered = new Set<string>();

  constructor(profiles: Pick<Profiles, 'service'>, clock: Pick<Clock, 'wait'>) {
    this.#profiles = profiles;
    this.#clock = clock;
  }

  /** Subscribes to a model. Has no effect if already subscribed. */
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

  /** Whether the server sends events now. */
  hears(profileId: string): boolean {
    return this.#byProfile.get(profileId)?.isOpen ?? false;
  }

  /**
   * Prepares to wait for a model. @returns A signal that aborts when the model changes; already aborted if it
   * changed since the last `asks`.
   */
  changeOf(profileId: string, modelId: string): AbortSignal {
    const model = this.#byProfile.get(profileId)?.models.get(modelId);
    return model?.hasChanged ? AbortSignal.abort() : (model?.wake.signal ?? new AbortController().signal);
  }

  /** Prepares to poll a model: later changes count as new. */
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
        // No key, no address or no engine: polling reports that.
      }
      listener.isOpen = false;
      await this.#clock.wait(backoffPause(failures, again), signal).catch(() => undefined);
    }
  }
}
