import { Resampler } from '#proto/speech/resampler.ts';
import { MelStream } from '../speech/mel.ts';
import type { SecondHearingModel } from '../speech/second_hearing_model.ts';
import { SecondHearingStream } from '../speech/second_hearing_stream.ts';
import { ProsodyTrack, type TakeVoice } from '../speech/take/take_voice.ts';
import { type SoundSource, samplesOf, soundSeconds } from './sound_source.ts';

/**
 * Hears a recording of any length from its file, as `hearWhole` does sound in memory, and follows its prosody.
 * An hour needs some 50 MB.
 */
export async function hearRecording(
  model: SecondHearingModel,
  source: SoundSource,
  onProgress: (share: number) => void,
): Promise<TakeVoice> {
  const seconds = soundSeconds(source);
  const resampler = new Resampler(source.format.sampleRate, source.format.channels);
  const mel = new MelStream();
  const prosody = new ProsodyTrack();
  const network = new SecondHearingStream(model);
  const heard: Float32Array[] = [];
  let done = 0;
  const hear = (sound: Float32Array): void => {
    const mels = mel.push(sound);
    prosody.add(sound, mels);
    heard.push(network.push(mels));
  };
  for await (const block of samplesOf(source)) {
    hear(resampler.push(block));
    done += block.length / source.format.channels / source.format.sampleRate;
    onProgress(done / seconds);
  }
  hear(resampler.end());
  const last = mel.end(0);
  heard.push(network.push(last), network.end());
  const voice = prosody.end(last);
  return { ...voice, frames: voice.loudness.length, posteriors: joined(heard), seconds };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
