import { Resampler } from '#proto/resampler.ts';
import type { SecondHearingModel } from '../speech/second_hearing_model.ts';
import type { TakeVoice } from '../speech/take/take_voice.ts';
import { VoiceHearing } from '../speech/take/voice_hearing.ts';
import { type SoundSource, samplesOf, soundSeconds } from './sound_source.ts';

/** Hears a recording of any length from its file. */
export async function hearRecording(
  model: SecondHearingModel,
  source: SoundSource,
  onProgress: (share: number) => void,
): Promise<TakeVoice> {
  const seconds = soundSeconds(source);
  const resampler = new Resampler(source.format.sampleRate, source.format.channels);
  const hearing = new VoiceHearing(model);
  let done = 0;
  for await (const block of samplesOf(source)) {
    hearing.push(resampler.push(block));
    done += block.length / source.format.channels / source.format.sampleRate;
    onProgress(done / seconds);
  }
  hearing.push(resampler.end());
  return hearing.end(seconds);
}
