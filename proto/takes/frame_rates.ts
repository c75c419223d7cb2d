/** The rates at which a take can leave the studio, as exact fractions, and what time a frame of them has. */

/** `own`: the rate that the take was made at. 29.97 and 59.94 are 30000/1001 and 60000/1001. */
export const exportRates = ['own', '24', '25', '29.97', '30', '50', '59.94', '60', '120'] as const;
export type ExportRate = (typeof exportRates)[number];

/** Frames a second, as a fraction: frame n is at n · denominator / numerator seconds. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

const exact: Readonly<Record<Exclude<ExportRate, 'own'>, FrameRate>> = {
  '24': { numerator: 24, denominator: 1 },
  '25': { numerator: 25, denominator: 1 },
  '29.97': { numerator: 30_000, denominator: 1001 },
  '30': { numerator: 30, denominator: 1 },
  '50': { numerator: 50, denominator: 1 },
  '59.94': { numerator: 60_000, denominator: 1001 },
  '60': { numerator: 60, denominator: 1 },
  '120': { numerator: 120, denominator: 1 },
};

/** @param own hertz, of the take itself; near one of the usual rates it is that one */
export function frameRateOf(rate: ExportRate, own: number): FrameRate {
  if (rate !== 'own') return exact[rate];
  const usual = Object.values(exact).find((one) => Math.abs(hertz(one) - own) < 0.005);
  return usual ?? { numerator: own, denominator: 1 };
}

export const hertz = ({ numerator, denominator }: FrameRate): number => numerator / denominator;

/** Seconds at which a frame begins. */
export const frameTime = (frame: number, { numerator, denominator }: FrameRate): number =>
  (frame * denominator) / numerator;

/** Frames that begin within so many seconds, the one at the very end with them: at least one. */
export const frameCount = (seconds: number, rate: FrameRate): number =>
  Math.floor(Math.max(0, seconds) * hertz(rate) + 1e-6) + 1;

/** As it stands in file names and lists: `29.97`, `60`. */
export const rateText = (rate: FrameRate): string => String(Math.round(hertz(rate) * 100) / 100);

/**
 * Returns the SMPTE ST 12-1 time code of a frame, counted from 00:00:00:00. 29.97 and 59.94 use drop-frame:
 * they skip two or four numbers each minute except every tenth, and have `;` before the frame. Other
 * fractional rates count frames within each second.
 */
export function smpteTimecode(frame: number, rate: FrameRate): string {
  const base = Math.round(hertz(rate));
  if (rate.denominator === 1 && !Number.isInteger(rate.numerator)) {
    const second = Math.floor(frameTime(frame, rate) + 1e-9);
    return clock(second, frame - Math.ceil(second * rate.numerator - 1e-6), ':');
  }
  const isDropped = rate.denominator === 1001 && base % 30 === 0;
  const number = isDropped ? frame + droppedBefore(frame, base) : frame;
  return clock(Math.floor(number / base), number % base, isDropped ? ';' : ':');
}

function droppedBefore(frame: number, base: number): number {
  const each = base / 15;
  const minute = base * 60 - each;
  const tenMinutes = base * 600 - each * 9;
  const rest = frame % tenMinutes;
  // The first minute of ten drops nothing, and so is longer.
  const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / minute);
  return Math.floor(frame / tenMinutes) * each * 9 + minutes * each;
}

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (second: number, frame: number, mark: ':' | ';'): string =>
  `${two(Math.floor(second / 3600) % 24)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}${mark}${two(frame)}`;
