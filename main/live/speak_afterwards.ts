import { randomUUID } from 'node:crypto';
import type { TakeFace } from '@likeness/proto/take_stream.ts';
import { builtInProfileId } from '#contract';
import type { LiveOptions } from './live_calls.ts';
import { createSessionMeter } from './session_meter.ts';
import { speakSound } from './speak_sound.ts';

/**
 * Makes the built-in engine's face of recorded audio. In parts small enough not to stall a concurrent live
 * face.
 *
 * @throws the engine's error
 */
export async function speakAfterwards(
  { journal, openClients, profile }: Pick<LiveOptions, 'journal' | 'openClients' | 'profile'>,
  sound: { sampleRate: number; samples: Float32Array },
  frameRate: number,
): Promise<TakeFace> {
  const meter = createSessionMeter({ journal, subject: randomUUID() });
  const clients = openClients(meter);
  try {
    const { words } = await profile(builtInProfileId);
    return await speakSound(sound, {
      service: await clients.client(builtInProfileId),
      words,
      wholeWord: words.first,
      // Adds later audio as context, as much as the engine uses.
      faceOptions: { frameRate: frameRate === 30 ? 30 : 60, lookahead: 60 },
      most: 0.5,
    });
  } finally {
    await clients.close();
    meter.close();
  }
}
