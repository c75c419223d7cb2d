import { randomUUID } from 'node:crypto';
import type { PricedCall } from '@likeness/journal/metered_call.ts';
import { builtInProfileId, type Handlers } from '#contract';
import type { FaceService } from './audio_stream_client.ts';
import type { LiveService } from './live_service.ts';
import { runSession, type SessionOptions } from './session.ts';
import type { SessionReservation } from './session_journal.ts';
import { createSessionMeter } from './session_meter.ts';

/** Clients of one session, metered together. */
interface SessionClients {
  client(profileId: string): Promise<
    FaceService & {
      extensions(): Promise<{ streamWords: boolean; faceOptions: boolean }>;
    }
  >;
  close(): Promise<void>;
}

export interface LiveOptions {
  journal: { reserve(session: PricedCall): SessionReservation };
  /** Clients whose calls are recorded in the given meter. */
  openClients(meter: ReturnType<typeof createSessionMeter>): SessionClients;
  /** Returns a connection's values of the stream position, and its name. @throws Failure `not_found` */
  profile(profileId: string): Promise<{ name: string; words: LiveService['words'] }>;
  startTake(
    take: Parameters<SessionOptions['startTake']>[0] & { profileId: string; profileName: string },
  ): ReturnType<SessionOptions['startTake']>;
  /** Receives all faces of a microphone session; absent if nobody needs them. */
  watch?: () => SessionOptions['watcher'];
  /** Frames of a camera tracker, to be recorded with the microphone's audio. */
  onTracked?: SessionOptions['onTracked'];
  /** Called when the first session opens and when the last one ends. */
  onSpeaking?: (isSpeaking: boolean) => void;
  now: () => number;
  onDefect: (where: string, error: unknown) => void;
}

/** Implements the room `live` of the contract. */
export function liveCalls(options: LiveOptions): Pick<Handlers['live'], 'open'> {
  let open = 0;
  const count = (by: 1 | -1): void => {
    open += by;
    if (open === (by > 0 ? 1 : 0)) options.onSpeaking?.(open > 0);
  };
  return {
    async open({ profileId, sampleRate, frameRate, lookahead, suppressNoise, source }, stream) {
      const id = randomUUID();
      const meter = createSessionMeter({ journal: options.journal, subject: id });
      const opened: SessionClients[] = [];
      const openClients = (): SessionClients => {
        const clients = options.openClients(meter);
        opened.push(clients);
        return clients;
      };
      const serviceOf = async (wanted: string): Promise<LiveService> => {
        const { words } = await options.profile(wanted);
        const clients = openClients();
        return {
          profileId: wanted,
          words,
          service: {
            async *audioToFace(request, call) {
              yield* (await clients.client(wanted)).audioToFace(request, call);
            },
          },
          announced: async () => (await clients.client(wanted)).extensions(),
          usage: () => meter.usage(wanted),
        };
      };
      count(1);
      try {
        const { name: profileName } = await options.profile(profileId);
        const local = await serviceOf(builtInProfileId);
        await runSession({
          stream,
          sampleRate,
          frameRate,
          lookahead,
          suppressNoise,
          source,
          local,
          server: profileId === builtInProfileId ? null : await serviceOf(profileId),
          startTake: (take) => options.startTake({ ...take, profileId, profileName }),
          watcher: source === 'microphone' ? options.watch?.() : undefined,
          onTracked: source === 'microphone' ? options.onTracked : undefined,
          newTraceId: randomUUID,
          now: options.now,
          wait: (milliseconds, signal) =>
            new Promise((resolve) => {
              const timer = setTimeout(resolve, milliseconds);
              signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
            }),
          every(milliseconds, callback) {
            const timer = setInterval(callback, milliseconds);
            return () => clearInterval(timer);
          },
          onDefect: (error) => options.onDefect('live.open', error),
        });
      } finally {
        await Promise.all(opened.map((clients) => clients.close()));
        meter.close();
        count(-1);
      }
    },
  };
}
