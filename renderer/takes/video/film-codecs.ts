/** Encoders of films and their settings. */
import type { FilmFault, FilmJob } from '@likeness/proto/takes/film_message.ts';
import { hertz } from '@likeness/proto/takes/frame_rates.ts';

type Picture = Pick<FilmJob, 'width' | 'height' | 'rate'>;

/** Largest picture and rate of a level: luma samples of a picture, and a second. */
interface Level {
  name: string;
  picture: number;
  second: number;
}

/** VP9 levels by their two digits (VP9 Bitstream, Annex A). */
const vp9Levels: readonly Level[] = [
  { name: '21', picture: 245_760, second: 9_216_000 },
  { name: '30', picture: 552_960, second: 20_736_000 },
  { name: '31', picture: 983_040, second: 36_864_000 },
  { name: '40', picture: 2_228_224, second: 83_558_400 },
  { name: '41', picture: 2_228_224, second: 160_432_128 },
  { name: '50', picture: 8_912_896, second: 311_951_360 },
  { name: '51', picture: 8_912_896, second: 588_251_136 },
  { name: '52', picture: 8_912_896, second: 1_176_502_272 },
  { name: '60', picture: 35_651_584, second: 1_176_502_272 },
];

/** H.264 levels in hexadecimal, in macroblocks of 16 × 16 (ITU-T H.264, table A-1). */
const h264Levels: readonly Level[] = [
  { name: '1e', picture: 1620 * 256, second: 40_500 * 256 },
  { name: '1f', picture: 3600 * 256, second: 108_000 * 256 },
  { name: '28', picture: 8192 * 256, second: 245_760 * 256 },
  { name: '2a', picture: 8704 * 256, second: 522_240 * 256 },
  { name: '32', picture: 22_080 * 256, second: 589_824 * 256 },
  { name: '33', picture: 36_864 * 256, second: 983_040 * 256 },
  { name: '34', picture: 36_864 * 256, second: 2_073_600 * 256 },
];

const levelOf = (levels: readonly Level[], { width, height, rate }: Picture): string => {
  const picture = Math.ceil(width / 16) * Math.ceil(height / 16) * 256;
  const fits = levels.find((level) => picture <= level.picture && picture * hertz(rate) <= level.second);
  return (fits ?? levels.at(-1)!).name;
};

/** Bits a pixel: faces on a still background look untouched from about here on. */
const bitsPerPixel = 0.14;
/** Bits a second, at least: a small picture has as many edges, on fewer pixels. */
const minBitrate = 500_000;
/** Alpha is flat but for its edge. */
const alphaShare = 0.25;
/** Seconds between pictures that can be cut at. */
export const keySeconds = 2;

/** The setting of the picture's encoder. @param what the colours, or the alpha of them */
export function videoConfig(
  job: Picture & Pick<FilmJob, 'format'>,
  what: 'colour' | 'alpha',
): VideoEncoderConfig {
  const { width, height, rate, format } = job;
  const share = what === 'alpha' ? alphaShare : 1;
  // Pictures that follow one another faster differ less.
  const perSecond = hertz(rate) ** 0.75 * 30 ** 0.25;
  return {
    codec:
      format === 'webm' ? `vp09.00.${levelOf(vp9Levels, job)}.08` : `avc1.6400${levelOf(h264Levels, job)}`,
    width,
    height,
    framerate: hertz(rate),
    bitrate: Math.round(share * Math.max(minBitrate, bitsPerPixel * width * height * perSecond)),
    // Never drops a frame to keep up, as the other mode may.
    latencyMode: 'quality',
  };
}

/** Returns the codec of a film that this browser lacks; null if it lacks none. */
export async function missingCodec(job: Picture & Pick<FilmJob, 'format'>): Promise<FilmFault | null> {
  if (job.format === 'png') return null;
  if (typeof VideoEncoder === 'undefined' || typeof AudioEncoder === 'undefined') return 'no_webcodecs';
  const { supported } = await VideoEncoder.isConfigSupported(videoConfig(job, 'colour')).catch(() => ({
    supported: false,
  }));
  if (supported) return null;
  return job.format === 'webm' ? 'no_vp9' : 'no_h264';
}
