/** How long phones are: log-normal by class, at the speaker's own rate. */

/** Median length in frames of 10 ms: phones that are about as long. */
type Lengths = Readonly<Record<number, string>>;

/** Measured on flite's awb and kal16 speaking the development sentences: research/speech.md. */
const english: Lengths = {
  3.4: 'DH',
  4.9: 'AX V D R W UH',
  6.4: 'N IH AO AH NG M T',
  7.1: 'HH Y B L UW G',
  8.7: 'K Z TH ER',
  10.3: 'P F S AA JH',
  11.3: 'EH AE AW IY',
  12.6: 'CH ZH OW EY',
  15: 'AY SH OY',
};

/** Lengths of Mandarin phones from phonetics literature; no development voice has phone times. */
const mandarin: Lengths = {
  4: 'b d g',
  6.5: 'm n l r',
  8: 'j z zh',
  9: 'p t k',
  10: 'f h s x sh',
  11.5: 'q c ch',
};

/** Length of Mandarin finals, which the table omits. */
const finalFrames = 14;

const logFrames: ReadonlyMap<string, number> = new Map(
  [english, mandarin].flatMap((lengths) =>
    Object.entries(lengths).flatMap(([frames, phones]) =>
      phones.split(' ').map((phone): [string, number] => [phone, Math.log(Number(frames))]),
    ),
  ),
);

/** Standard deviation of the logarithm: .3 within a voice of flite; people vary more. */
const spread = 0.4;

/** Natural logarithm of a phone's median length in frames, at flite's rate. */
export const typicalLogFrames = (phone: string): number => logFrames.get(phone) ?? Math.log(finalFrames);

/**
 * Log density of a phone's length but for a constant: 0 at its median.
 *
 * @param slowness natural logarithm of how much slower than flite the speaker is
 */
export function lengthScore(phone: string, frames: number, slowness: number): number {
  const off = (Math.log(frames) - typicalLogFrames(phone) - slowness) / spread;
  return -0.5 * off * off;
}
