import { open } from 'node:fs/promises';
import { hopSamples, MelStream } from '../speech/mel.ts';
import { LessMean, RecordingMean } from '../speech/recording_mean.ts';
import { engineRate, Resampler } from '../speech/resampler.ts';
import type { SecondHearingModel } from '../speech/second_hearing_model.ts';
import { SecondHearingStream } from '../speech/second_hearing_stream.ts';
import { visemeCount } from '../speech/speech_model.ts';
import { ProsodyTrack, type TakeVoice } from '../speech/take/take_voice.ts';
import { type SoundSource, samplesOf, soundSeconds } from './sound_source.ts';

/** Share of the work that the first pass is. */
const firstPass = 0.3;
const float = { encoding: 'f32le', channels: 1, sampleRate: engineRate } as const;

/**
 * Hears a recording of any length from its file, as `hearWhole` does sound in memory: a first time for what it
 * sounds like on the whole and for its prosody, then frame by frame. An hour needs some 20 MB.
 *
 * @param scratch a path for the sound at 16 kHz, 4 bytes a sample; the caller removes it
 */
export async function hearRecording(
  model: SecondHearingModel,
  source: SoundSource,
  scratch: string,
  onProgress: (share: number) => void,
): Promise<TakeVoice> {
  const seconds = soundSeconds(source);
  const mean = new RecordingMean();
  const prosody = new ProsodyTrack();
  const mel = new MelStream();
  const hear = (sound: Float32Array): void => {
    const mels = mel.push(sound);
    for (const one of mels) mean.add(one);
    prosody.add(sound, mels);
  };
  const samples = await toEngineRate(source, scratch, hear, (done) =>
    onProgress((firstPass * done) / seconds),
  );
  const last = mel.end(0);
  for (const one of last) mean.add(one);
  const voice = prosody.end(last);

  const frames = Math.ceil(samples / hopSamples);
  const posteriors = new Float32Array(frames * visemeCount);
  const stream = new SecondHearingStream(model, new LessMean(mean, model.startMean));
  const again = new MelStream();
  let at = 0;
  const write = (said: Float32Array): void => {
    posteriors.set(said, at);
    at += said.length;
  };
  const kept = { path: scratch, format: float, from: 0, bytes: samples * 4 };
  for await (const sound of samplesOf(kept)) {
    write(stream.push(again.push(sound)));
    onProgress(firstPass + ((1 - firstPass) * at) / posteriors.length);
  }
  write(stream.push(again.end(0)));
  for (const said of stream.end()) write(said);
  return { ...voice, frames, posteriors, seconds };
}

/** Writes a source's sound at 16 kHz, mono, as floats. @returns samples */
async function toEngineRate(
  source: SoundSource,
  path: string,
  hear: (sound: Float32Array) => void,
  onSeconds: (done: number) => void,
): Promise<number> {
  const { sampleRate, channels } = source.format;
  const resampler = new Resampler(sampleRate, channels);
  const file = await open(path, 'wx', 0o600);
  let samples = 0;
  const write = async (sound: Float32Array): Promise<void> => {
    hear(sound);
    samples += sound.length;
    await file.write(new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength));
    onSeconds(samples / engineRate);
  };
  try {
    for await (const block of samplesOf(source)) await write(resampler.push(block));
    await write(resampler.end());
  } finally {
    await file.close();
  }
  return samples;
}
