import { setImmediate as otherWork } from 'node:timers/promises';
import { encodeBareMessage } from '#proto/face_stream.ts';
import type { PlayableFace } from '#proto/take_stream.ts';
import type { Sound } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure } from '../../failure.ts';
import type { FinishedTake } from '../finished_take.ts';
import type { TakeBeginning } from '../take_record.ts';
import type { TakeRecorder } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';
import { readWavSound } from '../wav_file.ts';

/** As long as a recording may be, seconds. */
const mostSeconds = 3 * 3600;

export interface Joining {
  takes: Takes;
  /** A take as it plays, with its edits. @throws Failure `not_found`, `storage` */
  finished: (id: string) => Promise<FinishedTake>;
}

/**
 * Makes a take of several, one after the other. It sounds and moves as they do, on the head of the first; at a
 * seam the face steps as the sound does.
 *
 * @returns the new take's id
 * @throws Failure `not_found`, `storage`, `unsupported` where their sounds have different rates or are too long
 */
export async function joinTakes(
  ids: readonly string[],
  name: string,
  { takes, finished }: Joining,
): Promise<string> {
  const records = ids.map((id) => takes.record(id));
  const [first] = records as [(typeof records)[number]];
  if (records.some(({ sampleRate }) => sampleRate !== first.sampleRate)) {
    throw new Failure('unsupported', say('takes.join_rates'), { hint: say('takes.join_same_kind') });
  }
  if (records.reduce((sum, { seconds }) => sum + seconds, 0) > mostSeconds) {
    throw new Failure('unsupported', say('takes.join_too_long'), { hint: say('takes.join_fewer') });
  }
  const { notes, model, source, sampleRate, profileId, profileName } = first;
  // Each keeps its own rate of frames: times count, and the first one's rate is the nominal one.
  const beginning: TakeBeginning = {
    name,
    notes,
    model,
    source,
    sampleRate,
    frameRate: first.frameRate,
    profileId,
    profileName,
  };
  const channelNames = await channelsOf(ids, finished);
  // What was edited is not to be heard anew over it.
  const recorder = await takes.start(beginning, { hear: false });
  const joined = new JoinedTake(recorder, channelNames, first);
  try {
    for (const id of ids) {
      const { face, audio } = await finished(id);
      await joined.append(face, readWavSound(audio));
      const trouble = recorder.trouble();
      if (trouble) throw new Failure('storage', trouble);
    }
    await recorder.finish({ latency: null });
  } catch (error) {
    await recorder.finish({ latency: null }).catch(() => undefined);
    await takes.erase([recorder.id]);
    throw error;
  }
  return recorder.id;
}

/** Channels of all faces, each once. One face after the other is read: all at once may not fit in memory. */
async function channelsOf(ids: readonly string[], finished: Joining['finished']): Promise<string[]> {
  const names = new Set<string>();
  for (const id of ids) for (const name of (await finished(id)).face.channelNames) names.add(name);
  return [...names];
}

class JoinedTake {
  readonly #recorder: TakeRecorder;
  readonly #channelNames: readonly string[];
  #samples = 0;
  #frames = 0;

  constructor(recorder: TakeRecorder, channelNames: readonly string[], { frameRate }: { frameRate: number }) {
    this.#recorder = recorder;
    this.#channelNames = channelNames;
    const header = { traceId: 'joined', frameRate, channelNames: [...channelNames], mesh: undefined };
    this.#face(encodeBareMessage({ kind: 'header', ...header }), 0);
  }

  async append({ channelNames, frames }: PlayableFace, { samples, sampleRate }: Sound): Promise<void> {
    const begin = this.#samples / sampleRate;
    for (let from = 0; from < samples.length; from += sampleRate) {
      this.#recorder.sound(samples.slice(from, from + sampleRate));
      await otherWork();
    }
    this.#samples += samples.length;
    const places = this.#channelNames.map((name) => channelNames.indexOf(name));
    const end = samples.length / sampleRate;
    for (const frame of frames) {
      // A face may go on a little after its sound: there the next one's begins.
      if (frame.timeCode >= end) break;
      const timeCode = begin + frame.timeCode;
      const weights = Float32Array.from(places, (place) => (place < 0 ? 0 : frame.weights[place]!));
      const index = this.#frames++;
      const { headPose, eyeGaze } = frame;
      this.#face(
        encodeBareMessage({
          kind: 'frame',
          index,
          timeCode,
          weights,
          headPose,
          eyeGaze,
          vertices: undefined,
        }),
        timeCode,
      );
      if (index % 600 === 0) await otherWork();
    }
  }

  #face(message: Uint8Array, arrivedAt: number): void {
    this.#recorder.face({ arrivedAt, tier: 'local', message });
  }
}
