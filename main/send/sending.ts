import { t } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { SendState, SendTargetFields, ViewerAppearance } from '#contract';
import type { FaceWatcher } from '../base/face_watcher.ts';
import { type FaceSource, TakeSource } from './face_source.ts';
import { LiveFace } from './live_face.ts';
import { PacedClock } from './paced_clock.ts';
import { Receivers } from './receive/receivers.ts';
import { trackedChannels } from './receive/udp_receiver.ts';
import { type KeptSending, maxTargets, type SendStore } from './send_store.ts';
import { Targets, untilOver } from './targets.ts';
import { serveFor, Viewers, type ViewersOptions } from './viewers/viewers.ts';

export interface SendingOptions {
  store: SendStore;
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  /** Calls back after pending events are processed. */
  soon: (callback: () => void) => void;
  randomId: () => string;
  newToken: () => string;
  /** Tokens must not appear in logs. */
  keepSecret: (token: string) => void;
  /** Returns a take's face and the length of its audio, seconds. @throws Failure `not_found`, `storage` */
  take: (id: string) => Promise<{ face: PlayableFace; seconds: number }>;
  /** The page for browser sources, and heads. */
  pages: ViewersOptions['pages'];
  heads: ViewersOptions['heads'];
  onChanged: (state: SendState) => void;
}

type TrackedListener = (frame: FaceStreamFrame, age: number, from: string) => void;

/** A take that is sent. */
interface PlayedTake {
  id: string;
  source: TakeSource;
  /** Seconds. */
  length: number;
  loop: boolean;
  follows: boolean;
}

interface PlayedTakeOrder {
  id: string;
  seconds: number;
  loop: boolean;
  follow?: boolean;
}

/** Milliseconds between two traffic reports, and until a change is reported. */
const reportEvery = 500;
const notifyDelayMs = 50;

/** Sends the face to targets and viewers, and receives another program's face. */
export class Sending {
  readonly #options: SendingOptions;
  readonly #paced: PacedClock;
  readonly #live: LiveFace;
  readonly #targets: Targets;
  readonly #viewers: Viewers;
  readonly #receivers: Receivers;
  readonly #trackedListeners = new Set<TrackedListener>();
  #playing: PlayedTake | null = null;
  #endOfTake: (() => void) | null = null;
  #source: FaceSource | null = null;
  #cancelTelling: (() => void) | null = null;
  #isClosed = false;

  constructor(options: SendingOptions) {
    this.#options = options;
    const { clock, soon, store, pages, keepSecret } = options;
    const { elapsed, after } = clock;
    this.#paced = new PacedClock({ elapsed, after, soon });
    this.#live = new LiveFace(elapsed, () => this.#follow());
    this.#live.trackerBegins(trackedChannels);
    this.#targets = new Targets({
      paced: this.#paced,
      elapsed,
      after,
      timeOfDay: (at) => timeOfDay(clock.now() - (elapsed() - at)),
      deviceId: store.get().deviceId,
    });
    const newRun = (): string => options.newToken().slice(0, 12);
    this.#viewers = new Viewers({ paced: this.#paced, pages, newRun, heads: options.heads });
    this.#receivers = new Receivers(elapsed, (frame, from) => this.#heard(frame, from));
    for (const token of tokensOf(store.get())) keepSecret(token);
  }

  /** Opens what the user left switched on: targets wait for a face, the page for its viewers. */
  async start(): Promise<void> {
    await this.#viewers.follow(this.#options.store.get().viewers);
    this.#follow();
  }

  /** Receives the frames of a live session. */
  watch(): FaceWatcher {
    return this.#live.watch();
  }

  /**
   * Calls back for each frame of a tracker, with its age in seconds and the tracker's name. @returns a
   * function that unsubscribes
   */
  onTracked(listener: TrackedListener): () => void {
    this.#trackedListeners.add(listener);
    return () => this.#trackedListeners.delete(listener);
  }

  state(): SendState {
    const { store, clock } = this.#options;
    const { targets, viewers } = store.get();
    const at = clock.elapsed();
    return {
      targets: targets.map((target) => this.#targets.view(target, at)),
      viewers: this.#viewers.view(viewers),
      receivers: this.#receivers.view(at),
      playing: this.#playing && {
        takeId: this.#playing.id,
        seconds: this.#playing.source.secondsAt(at),
        length: this.#playing.length,
        loop: this.#playing.loop,
        follows: this.#playing.follows,
      },
      hasFace: this.#source !== null,
    };
  }

  /** @throws Failure `conflict` if there are too many, `storage` */
  async addTarget(fields: SendTargetFields): Promise<SendState> {
    const { store, randomId } = this.#options;
    await store.change((kept) => {
      if (kept.targets.length >= maxTargets) {
        throw new Failure('conflict', t('send.too_many', { most: maxTargets }), {
          hint: t('send.remove_one'),
        });
      }
      return { ...kept, targets: [...kept.targets, { ...fields, id: randomId() }] };
    });
    return this.#changed();
  }

  /** @throws Failure `not_found`, `storage` */
  async changeTarget(
    id: string,
    changes: { [K in keyof SendTargetFields]?: SendTargetFields[K] | undefined },
  ): Promise<SendState> {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    this.#target(id);
    await this.#options.store.change((kept) => ({
      ...kept,
      targets: kept.targets.map((target) => (target.id === id ? { ...target, ...given } : target)),
    }));
    return this.#changed();
  }

  /** @throws Failure `not_found`, `storage` */
  async removeTarget(id: string): Promise<SendState> {
    this.#target(id);
    await this.#options.store.change((kept) => ({
      ...kept,
      targets: kept.targets.filter((target) => target.id !== id),
    }));
    return this.#changed();
  }

  /** @throws Failure `not_found` */
  testTarget(id: string): Promise<{ packets: number; dropped: number }> {
    return this.#targets.test(this.#target(id));
  }

  /** @throws Failure `storage` */
  async changeViewers(changes: {
    on?: boolean | undefined;
    port?: number | undefined;
    appearance?: { [K in keyof ViewerAppearance]?: ViewerAppearance[K] | undefined } | undefined;
  }): Promise<SendState> {
    await this.#options.store.change((kept) => {
      const { viewers } = kept;
      const changedAppearance = Object.fromEntries(
        Object.entries(changes.appearance ?? {}).filter(([, value]) => value !== undefined),
      );
      const { on = viewers.on, port = viewers.port } = changes;
      return { ...kept, viewers: { ...viewers, on, port, look: { ...viewers.look, ...changedAppearance } } };
    });
    await this.#viewers.follow(this.#options.store.get().viewers);
    return this.#changed();
  }

  /** The default head, or the mapping to a head's shapes, has changed. */
  async headsChanged(): Promise<void> {
    await this.#viewers.follow(this.#options.store.get().viewers);
  }

  /** @throws Failure `storage` */
  async renewViewerTokens(): Promise<SendState> {
    const { store, newToken, keepSecret } = this.#options;
    await store.change((kept) => ({
      ...kept,
      viewers: { ...kept.viewers, pageToken: newToken(), socketToken: newToken() },
    }));
    for (const token of tokensOf(store.get())) keepSecret(token);
    await this.#viewers.follow(store.get().viewers);
    return this.#changed();
  }

  async receive(wanted: Parameters<Receivers['set']>[0]): Promise<SendState> {
    await this.#receivers.set(wanted);
    return this.#changed();
  }

  /** @throws Failure `not_found`, `storage` */
  async playTake({ id, seconds, loop, follow = false }: PlayedTakeOrder): Promise<SendState> {
    const take = await this.#options.take(id);
    const source = this.#takeSource(take, seconds, loop && !follow);
    if (follow) source.move({ from: seconds, startAt: this.#options.clock.elapsed(), speed: 0 });
    this.#play({ id, source, length: take.seconds, loop: loop && !follow, follows: follow });
    return this.#changed();
  }

  /** Follows a page's player. @returns false if another take is being sent */
  movePlayed({ id, seconds, speed }: { id: string; seconds: number; speed: number }): boolean {
    if (!this.#playing?.follows || this.#playing.id !== id) return false;
    this.#playing.source.move({ from: seconds, startAt: this.#options.clock.elapsed(), speed });
    return true;
  }

  stopTake(): SendState {
    this.#play(null);
    return this.#changed();
  }

  /**
   * Sends to an address besides the stored ones, until the end of the take or the signal; for the command
   * line.
   *
   * @param what a take's id, or `live`
   * @throws Failure `not_found`, `storage`; `not_allowed` if there is no live face
   */
  async send(
    what: string,
    target: Omit<SendTargetFields, 'on'>,
    { loop, signal }: { loop: boolean; signal: AbortSignal },
  ): Promise<{ packets: number; dropped: number }> {
    const { source, milliseconds } = await this.#chosen(what, loop);
    return this.#targets.send(target, source, milliseconds, signal);
  }

  /**
   * The same for scripts: a separate WebSocket on 127.0.0.1, open until the end of the take or the signal.
   *
   * @throws Failure as `send`, and `conflict` if the port is in use
   */
  async serve(
    what: string,
    options: {
      port: number;
      rate: number;
      loop: boolean;
      signal: AbortSignal;
      onOpen: (url: string) => void;
    },
  ): Promise<void> {
    const { port, rate, loop, signal, onOpen } = options;
    const { newToken, keepSecret } = this.#options;
    const { source, milliseconds } = await this.#chosen(what, loop);
    const tokens = { pageToken: newToken(), socketToken: newToken() };
    for (const token of Object.values(tokens)) keepSecret(token);
    await serveFor({ port, ...tokens, run: newToken().slice(0, 12) }, async (feed, url) => {
      onOpen(url);
      const stop = this.#paced.every(rate, (at) => feed.face(source.faceAt(at), at));
      await untilOver(this.#options.clock.after, milliseconds, signal);
      stop();
    });
  }

  /** The source to send, and the duration. */
  async #chosen(what: string, loop: boolean): Promise<{ source: FaceSource; milliseconds: number }> {
    if (what === 'live') {
      if (!this.#live.isOpen(this.#options.clock.elapsed())) throw nothingLive();
      return { source: this.#live, milliseconds: Number.POSITIVE_INFINITY };
    }
    const take = await this.#options.take(what);
    const milliseconds = loop ? Number.POSITIVE_INFINITY : take.seconds * 1000;
    return { source: this.#takeSource(take, 0, loop), milliseconds };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTelling?.();
    this.#endOfTake?.();
    this.#targets.close();
    this.#receivers.close();
    await this.#viewers.close();
  }

  #takeSource(take: { face: PlayableFace; seconds: number }, from: number, loop: boolean): TakeSource {
    return new TakeSource({ ...take, from, loop, startAt: this.#options.clock.elapsed() });
  }

  #play(take: PlayedTake | null): void {
    this.#endOfTake?.();
    this.#endOfTake = null;
    this.#playing = take;
    // A take that follows a player ends with the player's page.
    if (take && !take.loop && !take.follows) {
      const left = take.length - take.source.secondsAt(this.#options.clock.elapsed());
      this.#endOfTake = this.#options.clock.after(left * 1000, () => {
        this.#play(null);
        this.#changed();
      });
    }
    this.#follow();
  }

  /** Passes a tracker's frame to the live face, to the page, and to the recording. */
  #heard(frame: FaceStreamFrame, from: string): void {
    this.#live.tracker(frame);
    const age = this.#options.clock.elapsed() / 1000 - frame.timeCode;
    for (const listener of this.#trackedListeners) listener(frame, age, from);
  }

  #target(id: string): KeptSending['targets'][number] {
    const found = this.#options.store.get().targets.find((target) => target.id === id);
    if (!found) throw new Failure('not_found', t('send.no_target'));
    return found;
  }

  #changed(): SendState {
    this.#follow();
    return this.state();
  }

  /** Starts the senders if there is a source and a receiver; otherwise nothing runs. */
  #follow(): void {
    if (this.#isClosed) return;
    const { store, clock } = this.#options;
    const source = this.#playing?.source ?? (this.#live.isOpen(clock.elapsed()) ? this.#live : null);
    if (source !== this.#source) this.#targets.follow(store.get().targets, null);
    this.#source = source;
    this.#targets.follow(store.get().targets, source);
    this.#viewers.show(source);
    this.#scheduleNotification(notifyDelayMs);
  }

  #scheduleNotification(milliseconds: number): void {
    this.#cancelTelling?.();
    this.#cancelTelling = this.#options.clock.after(milliseconds, () => {
      this.#cancelTelling = null;
      this.#options.onChanged(this.state());
      const isBusy = this.#targets.isSending || this.#receivers.isOpen || this.#viewers.isOpen;
      if (isBusy && !this.#isClosed) this.#scheduleNotification(reportEvery);
    });
  }
}

const tokensOf = ({ viewers: { pageToken, socketToken } }: KeptSending): string[] => [pageToken, socketToken];

const nothingLive = (): Failure =>
  new Failure('not_allowed', t('send.nothing_live'), { hint: t('send.open_live') });

/** Milliseconds since midnight, by the machine's own time zone. */
function timeOfDay(now: number): number {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return now - midnight;
}
