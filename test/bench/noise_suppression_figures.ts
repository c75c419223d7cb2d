import { noiseTreatments } from '@likeness/proto/speech/noise_treatment.ts';
import type { FullPassModel, SpeechModel } from '@likeness/speech';
import { backgroundOf, hearSound, withoutNoise } from './hear_sound.ts';
import { type LabelledSound, withFanNoise, withPinkNoise } from './speech_audio.ts';
import { accuracy } from './speech_figures.ts';
import { posteriors, winnersOf } from './speech_systems.ts';

/** Prints how accurate Live and the full pass are in noise, with and without noise suppression. */
export function printNoiseSuppression(
  voices: readonly LabelledSound[],
  model: SpeechModel,
  fullPass: FullPassModel | undefined,
): void {
  const hearings: [name: string, (sound: Float32Array) => Float32Array][] = [
    ['live off', (sound) => posteriors(model, sound, 4)],
    ['live on', (sound) => posteriors(model, withoutNoise(sound), 4)],
  ];
  if (fullPass) {
    for (const noise of noiseTreatments)
      hearings.push([`full pass ${noise}`, (sound) => hearSound(fullPass, sound, noise).posteriors]);
  }
  console.log('\nnoise suppression: accuracy slt / rms (dB that speech is louder than the pauses)');
  for (const [name, of] of [
    ['clean', (voice: LabelledSound) => voice],
    ['20 dB pink noise', (voice: LabelledSound) => withPinkNoise(voice, 20)],
    ['10 dB pink noise', (voice: LabelledSound) => withPinkNoise(voice)],
    ['10 dB fan noise', (voice: LabelledSound) => withFanNoise(voice)],
  ] as const) {
    const heard = voices.map(of);
    const cells = hearings.map(([how, hear]) => {
      const values = heard.map(({ sound, labels }) => accuracy(winnersOf(hear(sound)), labels, () => true));
      return `${how} ${values.map((value) => value.toFixed(3)).join(' / ')}`;
    });
    const levels = heard.map(({ sound }) => backgroundOf(sound).signalToNoise.toFixed(0));
    console.log(`${name}: ${cells.join(', ')} (${levels.join(' / ')})`);
  }
}
