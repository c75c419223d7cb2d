import { MonoMixer } from '@likeness/proto/mono_mixer.ts';
import { peakOf, sampleRange } from '@likeness/proto/sound_limits.ts';
import i18next from 'i18next';
import { StudioFailure } from '../base/studio.ts';

/**
 * Seconds of the longest sound that a take is made of: decoded, it lies in
 * memory as a whole, 23 MB a minute and channel.
 */
const longest = 3600;

/**
 * A sound file of any kind that the browser's decoders know, mixed to one channel.
 *
 * @param sampleRate of what is returned, hertz
 * @throws StudioFailure `unsupported`
 */
export async function decodeSound(file: File, sampleRate: number): Promise<Float32Array> {
  // Checked before decoding; a stream without a length in its header has none.
  const seconds = await durationOf(file);
  if (seconds > longest && Number.isFinite(seconds))
    throw refusal(i18next.t('takes:tooLong', { name: file.name, minutes: longest / 60 }));
  let sound: AudioBuffer;
  try {
    sound = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(await file.arrayBuffer());
  } catch {
    throw refusal(i18next.t('takes:undecodable', { name: file.name }));
  }
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  const mixed = new MonoMixer(channels.length).pushPlanar(channels);
  const range = sampleRange(peakOf(mixed));
  return range === 1 ? mixed : mixed.map((sample) => sample / range);
}

const refusal = (message: string): StudioFailure =>
  new StudioFailure({ code: 'unsupported', message, hint: '', retryable: false });

/** Seconds, as the file's head says; 0 where it can't be read. */
function durationOf(file: File): Promise<number> {
  const address = URL.createObjectURL(file);
  const audio = new Audio();
  audio.preload = 'metadata';
  return new Promise<number>((resolve) => {
    audio.onloadedmetadata = () => resolve(audio.duration);
    audio.onerror = () => resolve(0);
    audio.src = address;
  }).finally(() => {
    audio.removeAttribute('src');
    URL.revokeObjectURL(address);
  });
}
