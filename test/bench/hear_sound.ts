import type { SecondHearingModel } from '../../main/engine/speech/index.ts';
import type { TakeVoice } from '../../main/engine/speech/take/take_voice.ts';
import { VoiceHearing } from '../../main/engine/speech/take/voice_hearing.ts';

/** Hears sound in memory as takes are heard from their files. @param sound 16 kHz */
export function hearSound(model: SecondHearingModel, sound: Float32Array): TakeVoice {
  const hearing = new VoiceHearing(model);
  for (let from = 0; from < sound.length; from += 16_000) hearing.push(sound.subarray(from, from + 16_000));
  return hearing.end();
}
