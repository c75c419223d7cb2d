/** The figures of merit of a speech-to-face engine; pure functions over frames. */
import { ContactEvent } from '@likeness/speech/mouth.ts';

/** Share of frames whose winner is the label. `only` says which frames count. */
export function accuracy(
  guesses: ArrayLike<number>,
  labels: ArrayLike<number>,
  only: (label: number) => boolean,
): number {
  let right = 0;
  let count = 0;
  for (let i = 0; i < labels.length && i < guesses.length; i++) {
    const label = labels[i] as number;
    if (label > 14 || !only(label)) continue;
    count++;
    if (guesses[i] === label) right++;
  }
  return right / count;
}

/** Mean over the visemes that occur of the harmonic mean of precision and recall. */
export function macroF1(guesses: ArrayLike<number>, labels: ArrayLike<number>): number {
  const scores: number[] = [];
  for (let v = 0; v < 15; v++) {
    let both = 0;
    let either = 0;
    let occurs = 0;
    for (let i = 0; i < labels.length && i < guesses.length; i++) {
      if ((labels[i] as number) > 14) continue;
      const is = labels[i] === v;
      const said = guesses[i] === v;
      if (is && said) both++;
      if (is) occurs++;
      either += Number(is) + Number(said);
    }
    if (occurs > 0) scores.push((2 * both) / either);
  }
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** A stretch of time in which something holds, seconds. */
export interface Stretch {
  start: number;
  end: number;
}

/** Stretches in which `holds(i)`, frames of 10 ms. */
export function stretches(count: number, holds: (i: number) => boolean): Stretch[] {
  const out: Stretch[] = [];
  let from = -1;
  for (let i = 0; i <= count; i++) {
    const on = i < count && holds(i);
    if (on && from < 0) from = i;
    if (!on && from >= 0) {
      out.push({ start: from / 100, end: i / 100 });
      from = -1;
    }
  }
  return out;
}

/**
 * Contacts that the face makes of a posterior: on at the threshold, off below a lower one, never very short.
 */
export function contactStretches(posterior: Float32Array, threshold: number): Stretch[] {
  const contact = new ContactEvent(threshold);
  const on = Array.from(posterior, (value) => {
    contact.step(value);
    return contact.on;
  });
  return stretches(on.length, (i) => on[i] === true);
}

/** How far outside a real event a made one's middle may lie, seconds. */
const eventTolerance = 0.06;

/**
 * Share of the real events that a made one hits (its middle lies in the real one, give or take the tolerance;
 * each hits one), and how many made ones a minute hit none.
 */
export function eventScore(
  made: readonly Stretch[],
  real: readonly Stretch[],
  seconds: number,
): { hit: number; falsePerMinute: number } {
  const pairs = real
    .flatMap((r, i) =>
      made.map((m, j) => {
        const middle = (m.start + m.end) / 2;
        return { i, j, off: Math.max(r.start - middle, middle - r.end) };
      }),
    )
    .filter(({ off }) => off <= eventTolerance + 1e-9)
    .toSorted((a, b) => a.off - b.off);
  const hitReal = new Set<number>();
  const usedMade = new Set<number>();
  for (const { i, j } of pairs) {
    if (hitReal.has(i) || usedMade.has(j)) continue;
    hitReal.add(i);
    usedMade.add(j);
  }
  return {
    hit: hitReal.size / real.length,
    falsePerMinute: (made.length - usedMade.size) / (seconds / 60),
  };
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const n = a.length;
  const meanA = a.reduce((s, x) => s + x, 0) / n;
  const meanB = b.reduce((s, x) => s + x, 0) / n;
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < n; i++) {
    const x = (a[i] as number) - meanA;
    const y = (b[i] as number) - meanB;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/**
 * Pearson's r of a made channel (100 a second) against a captured one, at the best lag within ±100 ms.
 *
 * @param counts whether the captured row counts
 * @returns r, and by how much the made channel comes late, seconds
 */
export function correlation(
  made: ArrayLike<number>,
  rows: readonly { time: number; value: number }[],
  counts: (row: number) => boolean,
): { r: number; late: number } {
  let best = { r: Number.NEGATIVE_INFINITY, late: 0 };
  for (let lag = -10; lag <= 10; lag++) {
    const a: number[] = [];
    const b: number[] = [];
    rows.forEach(({ time, value }, row) => {
      const at = time * 100 + lag;
      const i = Math.floor(at);
      if (!counts(row) || i < 0 || i + 1 >= made.length) return;
      const part = at - i;
      a.push((made[i] as number) * (1 - part) + (made[i + 1] as number) * part);
      b.push(value);
    });
    const r = pearson(a, b);
    if (r > best.r) best = { r, late: lag / 100 };
  }
  return best;
}
