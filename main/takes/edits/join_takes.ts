import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Take } from '#contract';
import { Resampler } from '#proto/speech/resampler.ts';
import type { AlignedWord } from '#proto/speech/speech_alignment.ts';
import type { PlayableFace } from '#proto/take_stream.ts';
import { framesAt } from '#proto/takes/closures.ts';
import { wavHead } from '#proto/wav.ts';
import { say } from '#sentences';
import { Failure } from '../../failure.ts';
import type { FinishedTake } from '../finished_take.ts';
import { faceMessages, writeWords } from '../second_face.ts';
import { newRecord, takeFiles } from '../take_record.ts';
import { writeRecord } from '../take_recorder.ts';
import type { Takes } from '../takes.ts';
import { readWavSound } from '../wav_file.ts';

/** As long as a recording may be, seconds. */
const mostSeconds = 3 * 3600;

/**
 * One take of several, one after the other as they play, edits and all. Sound and face get the highest of their rates.
 *
 * @param finished a take as it plays @throws Failure `not_found`, `storage`, `unsupported`
 */
export function joinTakes(
  takes: Takes,
  ids: readonly string[],
  name: string,
  finished: (id: string) => Promise<FinishedTake>,
): Promise<Take> {
  const records = ids.map((id) => takes.record(id));
  if (records.reduce((sum, { seconds }) => sum + seconds, 0) > mostSeconds)
    throw new Failure('unsupported', say('takes.join_too_long'), { hint: say('takes.join_fewer') });
  const sampleRate = Math.max(...records.map((record) => record.sampleRate));
  const frameRate = Math.max(...records.map((record) => record.frameRate));
  const [first] = records;
  return takes.addMade(async (folder, id, now) => {
    const audio = await open(join(folder, takeFiles.audio), 'wx', 0o600);
    const frames: PlayableFace['frames'] = [];
    const words: AlignedWord[] = [];
    let channelNames: readonly string[] = [];
    let script = '';
    let samples = 0;
    try {
      await audio.write(wavHead(sampleRate, 0, 'f32le'));
      for (const each of ids) {
        const take = await finished(each);
        const start = samples / sampleRate;
        if (channelNames.length === 0) channelNames = take.face.channelNames;
        frames.push(...placed(take.face, { channelNames, frameRate, start, seconds: take.seconds }));
        if (take.words) {
          const said = script === '' ? '' : '\n';
          words.push(...moved(take.words.alignment.words, start, script.length + said.length));
          script += said + take.words.script;
        }
        const sound = resampled(take.audio, sampleRate);
        await audio.write(new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength));
        samples += sound.length;
      }
      await audio.write(wavHead(sampleRate, samples, 'f32le'), 0, undefined, 0);
      await audio.sync();
    } finally {
      await audio.close();
    }
    const seconds = samples / sampleRate;
    const face = { tier: 'afterwards' as const, channelNames, frameRate, frames: frames.map(asFrame) };
    await writeFile(join(folder, takeFiles.face), Buffer.concat(faceMessages(face, seconds)), {
      mode: 0o600,
    });
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

interface Place {
  channelNames: readonly string[];
  frameRate: number;
  /** Seconds at which it begins in the whole. */
  start: number;
  seconds: number;
}

/** A face's frames in the whole's channels, at its rate. */
function placed(
  face: PlayableFace,
  { channelNames, frameRate, start, seconds }: Place,
): PlayableFace['frames'] {
  const places = channelNames.map((name) => face.channelNames.indexOf(name));
  const first = face.frames[0]?.timeCode ?? 0;
  const count = Math.max(0, Math.ceil((seconds - first) * frameRate - 1e-6));
  const times = Array.from({ length: count }, (_, at) => first + at / frameRate);
  const frames = face.frameRate === frameRate ? face.frames : framesAt(face, times);
  return frames
    .filter(({ timeCode }) => timeCode < seconds)
    .map((frame) => ({
      ...frame,
      timeCode: start + frame.timeCode,
      weights: Float32Array.from(places, (place) => (place < 0 ? 0 : frame.weights[place]!)),
    }));
}

const asFrame = (frame: PlayableFace['frames'][number], index: number) => ({
  ...frame,
  kind: 'frame' as const,
  index,
  vertices: undefined,
});

const moved = (words: readonly AlignedWord[], start: number, from: number): AlignedWord[] =>
  words.map((word) => ({
    ...word,
    from: word.from + from,
    to: word.to + from,
    start: word.start + start,
    end: word.end + start,
    phones: word.phones.map((phone) => ({ ...phone, start: phone.start + start, end: phone.end + start })),
  }));

function resampled(wav: Uint8Array, sampleRate: number): Float32Array {
  const sound = readWavSound(wav);
  if (sound.sampleRate === sampleRate) return sound.samples;
  const resampler = new Resampler(sound.sampleRate, 1, sampleRate);
  const [made, rest] = [resampler.push(sound.samples), resampler.end()];
  const all = new Float32Array(made.length + rest.length);
  all.set(made);
  all.set(rest, made.length);
  return all;
}
