import { openTakeSound } from '../sound/mono_sound.ts';
import { EnergyMeter } from './sound_energy.ts';

/** The energy of a WAV file's sound as {@link EnergyMeter} has it, read piece by piece. @throws as {@link openTakeSound} */
export async function fileEnergy(path: string): Promise<Float32Array<ArrayBuffer>> {
  const { format, samples, blocks } = await openTakeSound(path);
  const meter = new EnergyMeter({ samples, sampleRate: format.sampleRate });
  for await (const block of blocks()) meter.push(block);
  return meter.energy();
}
