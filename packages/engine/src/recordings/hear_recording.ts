import { MonoMixer } from '@likeness/proto/mono_mixer.ts';
import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import { Resampler } from '@likeness/proto/speech/resampler.ts';
import type { FullPassModel } from '@likeness/speech/full_pass_model.ts';
import { MelStream } from '@likeness/speech/mel.ts';
import { BackgroundNoise, recordingWetShare } from '@likeness/speech/noise/background_noise.ts';
import { NoiseSuppression } from '@likeness/speech/noise/noise_suppression.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { VoiceAnalyser } from '@likeness/speech/take/voice_analyser.ts';
import { type SoundSource, samplesOf, soundSeconds } from './sound_source.ts';

/** Analyses a recording of any length from its file. */
export async function hearRecording(
  model: FullPassModel,
  source: SoundSource,
  noise: NoiseTreatment,
  onProgress: (share: number) => void,
): Promise<TakeVoice> {
  const seconds = soundSeconds(source);
  const isSuppressed = noise === 'on' || (noise === 'auto' && (await isNoisy(source)));
  const analyser = new VoiceAnalyser(model, isSuppressed ? new NoiseSuppression(recordingWetShare) : null);
  let done = 0;
  for await (const sound of soundAt16k(source)) {
    analyser.push(sound);
    done += sound.length / 16_000;
    onProgress(Math.min(1, done / seconds));
  }
  return analyser.end(seconds);
}

/**
 * Whether the audio is so noisy that suppressing some of the noise helps. Scans the whole file once
 * beforehand.
 */
async function isNoisy(source: SoundSource): Promise<boolean> {
  const mel = new MelStream();
  const background = new BackgroundNoise();
  for await (const sound of soundAt16k(source)) background.add(mel.push(sound));
  background.add(mel.end(0));
  return background.isNoisy;
}

async function* soundAt16k(source: SoundSource): AsyncGenerator<Float32Array> {
  const mixer = new MonoMixer(source.format.channels);
  const resampler = new Resampler(source.format.sampleRate);
  for await (const block of samplesOf(source)) yield resampler.push(mixer.push(block));
  yield resampler.end();
}
