import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { joinedChunks } from '@likeness/node-kit/storage/joined_chunks.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { Resampler } from '@likeness/proto/speech/resampler.ts';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { framesAt } from '@likeness/proto/takes/closures.ts';
import { wavHead } from '@likeness/proto/wav.ts';
import type { Take } from '#contract';
import type { FinishedTake } from '../finished_take.ts';
import { faceMessages, writeWords } from '../full_pass_face.ts';
import { openTakeSound } from '../sound/mono_sound.ts';
import { newRecord, takeFiles } from '../take_record.ts';
import { writeRecord } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';

/** Maximum duration of a recording, seconds. */
const maxSeconds = 3 * 3600;

/**
 * Joins several takes into one, in sequence and with their edits. Audio and face get the highest of their
 * rates.
 *
 * @param finished a take with its edits @throws Failure `not_found`, `storage`, `unsupported`
 */
export function joinTakes(
  takes: Takes,
  ids: readonly string[],
  name: string,
  finished: (id: string) => Promise<FinishedTake>,
): Promise<Take> {
  const records = ids.map((id) => takes.record(id));
  if (records.reduce((sum, { seconds }) => sum + seconds, 0) > maxSeconds)
    throw new Failure('unsupported', t('takes.join_too_long'), { hint: t('takes.join_fewer') });
  const sampleRate = Math.max(...records.map((record) => record.sampleRate));
  const frameRate = Math.max(...records.map((record) => record.frameRate));
  const [first] = records;
  return takes.addMade(async (folder, id, now) => {
    const audio = await open(join(folder, takeFiles.audio), 'wx', 0o600);
    let whole: PackedFace | null = null;
    const words: AlignedWord[] = [];
    let script = '';
    let samples = 0;
    try {
      await audio.write(wavHead(sampleRate, 0, 'f32le'));
      for (const each of ids) {
        const take = await finished(each);
        const start = samples / sampleRate;
        const { channelNames } = whole?.channelNames.length ? whole : take.face;
        if (!whole?.channelNames.length) whole = new PackedFace({ channelNames, frameRate });
        putInto(whole, take.face, start, take.seconds);
        if (take.words) {
          const separator = script === '' ? '' : '\n';
          words.push(...moved(take.words.alignment.words, start, script.length + separator.length));
          script += separator + take.words.script;
        }
        for await (const block of resampled(take.audio.path, sampleRate)) {
          await audio.write(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
          samples += block.length;
        }
      }
      await audio.write(wavHead(sampleRate, samples, 'f32le'), 0, undefined, 0);
      await audio.sync();
    } finally {
      await audio.close();
    }
    const seconds = samples / sampleRate;
    const face = joinedChunks(
      faceMessages(whole?.trimmed() ?? { channelNames: [], frameRate, frames: [] }, seconds),
    );
    await writeFile(join(folder, takeFiles.face), face, { mode: 0o600 });
    if (words.length > 0)
      await writeWords(folder, { script, alignment: { verdict: 'aligned', words, unknown: [] } });
    const { model, source, profileId, profileName } = first!;
    const beginning = { name, notes: '', model, source, sampleRate, frameRate, profileId, profileName };
    await writeRecord(folder, {
      ...newRecord(id, now, beginning),
      state: 'whole',
      seconds,
      tiers: [...new Set(records.flatMap(({ tiers }) => tiers))],
      script: words.length > 0 ? { text: script, language: 'auto', fileName: '' } : null,
    });
  });
}

/** Inserts a face's frames of the given duration at `start`, in the target's channels and rate. */
function putInto(whole: PackedFace, face: PlayableFace, start: number, seconds: number): void {
  const channels = whole.channelNames.map((name) => face.channelNames.indexOf(name));
  const first = face.frames[0]?.timeCode ?? 0;
  const count = Math.max(0, Math.ceil((seconds - first) * whole.frameRate - 1e-6));
  const times = Array.from({ length: count }, (_, at) => first + at / whole.frameRate);
  const frames = face.frameRate === whole.frameRate ? face.frames : framesAt(face, times);
  for (const { timeCode, weights, headPose, eyeGaze } of frames) {
    if (timeCode >= seconds) continue;
    whole.push({
      timeCode: start + timeCode,
      weights: Float32Array.from(channels, (channel) => (channel < 0 ? 0 : weights[channel]!)),
      headPose,
      eyeGaze,
    });
  }
}

const moved = (words: readonly AlignedWord[], start: number, from: number): AlignedWord[] =>
  words.map((word) => ({
    ...word,
    from: word.from + from,
    to: word.to + from,
    start: word.start + start,
    end: word.end + start,
    phones: word.phones.map((phone) => ({ ...phone, start: phone.start + start, end: phone.end + start })),
  }));

/** Resamples a WAV file, block by block. @throws as {@link openTakeSound} */
async function* resampled(path: string, sampleRate: number): AsyncGenerator<Float32Array> {
  const { format, blocks } = await openTakeSound(path);
  if (format.sampleRate === sampleRate) {
    yield* blocks();
    return;
  }
  const resampler = new Resampler(format.sampleRate, sampleRate);
  for await (const block of blocks()) yield resampler.push(block);
  yield resampler.end();
}
