import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import type { FullPassModel } from '@likeness/speech';
import { joinedFloats } from '@likeness/speech/joined_floats.ts';
import { MelStream } from '@likeness/speech/mel.ts';
import { BackgroundNoise, recordingWetShare } from '@likeness/speech/noise/background_noise.ts';
import { NoiseSuppression } from '@likeness/speech/noise/noise_suppression.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { VoiceAnalyser } from '@likeness/speech/take/voice_analyser.ts';

/** What is known of the noise in a sound at 16 kHz. */
export function backgroundOf(sound: Float32Array): BackgroundNoise {
  const mel = new MelStream();
  const background = new BackgroundNoise();
  background.add([...mel.push(sound), ...mel.end(0)]);
  return background;
}

/** Hears sound in memory as takes are heard from their files. @param sound 16 kHz */
export function hearSound(
  model: FullPassModel,
  sound: Float32Array,
  noise: NoiseTreatment = 'auto',
): TakeVoice {
  const isSuppressed = noise === 'on' || (noise === 'auto' && backgroundOf(sound).isNoisy);
  const hearing = new VoiceAnalyser(model, isSuppressed ? new NoiseSuppression(recordingWetShare) : null);
  for (let from = 0; from < sound.length; from += 16_000) hearing.push(sound.subarray(from, from + 16_000));
  return hearing.end();
}

/** Returns the sound as Live passes it on with noise suppression. @param sound 16 kHz */
export function withoutNoise(sound: Float32Array): Float32Array {
  const noise = new NoiseSuppression();
  return joinedFloats(noise.push(sound), noise.end());
}
