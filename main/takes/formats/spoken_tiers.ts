import type { IntervalTier } from './text_grid.ts';

/** Names of tiers by content, best first: words, whole sentences, and a speaker's name. */
const kinds: readonly ((name: string) => boolean)[] = [
  (name) => inName('words?').test(name) || /词|詞|単語/.test(name),
  (name) =>
    inName('ort|orthograph\\w*|transcript\\w*|text|utterances?|sentences?').test(name) ||
    /字|文|句|発話/.test(name),
  (name) =>
    !/phon|segment|syll|^mau$|音素|音节|音節|声母|韵母|聲母|韻母|声调|聲調|拼音|pinyin|tones?$/i.test(name),
];

/** A part of a tier's name: `anna - words`, `words_ben`, `Words (Ben)`. */
function inName(word: string): RegExp {
  return new RegExp(String.raw`(?:^|[\s_\-.:/(])(?:${word})(?:$|[\s_\-.:/)])`, 'i');
}

type Interval = IntervalTier['intervals'][number];

const spoken = ({ intervals }: IntervalTier): Interval[] =>
  intervals.filter(({ label }) => label.trim() !== '');

/**
 * Merges the tiers of a TextGrid that contain the speech of all speakers, in order of time. A tier that
 * overlaps an earlier one repeats it (corrected, translated) and is skipped.
 *
 * @returns labels in order of time, and names of skipped tiers with unique words; null if no tier can contain
 * words
 */
export function spokenTiers(tiers: readonly IntervalTier[]): { labels: string[]; others: string[] } | null {
  const kindOf = (tier: IntervalTier): number => kinds.findIndex((isOf) => isOf(tier.name.trim()));
  const possible = tiers.filter((tier) => kindOf(tier) >= 0);
  if (possible.length === 0) return null;
  const full = possible.filter((tier) => spoken(tier).length > 0);
  const best = Math.min(...full.map(kindOf));
  const taken: Interval[] = [];
  const read = new Set<IntervalTier>();
  for (const tier of full) {
    if (kindOf(tier) !== best || isCovered(spoken(tier), taken)) continue;
    taken.push(...spoken(tier));
    read.add(tier);
  }
  const others = full.filter(
    (tier) => !read.has(tier) && (kindOf(tier) === best || !isCovered(spoken(tier), taken)),
  );
  return {
    labels: taken.toSorted((a, b) => a.start - b.start || a.end - b.end).map(({ label }) => label),
    others: others.map(({ name }) => name),
  };
}

/** Whether more than half of these intervals' time is within others. */
function isCovered(intervals: readonly Interval[], others: readonly Interval[]): boolean {
  let length = 0;
  let covered = 0;
  const sorted = others.toSorted((a, b) => a.start - b.start);
  let from = 0;
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    length += end - start;
    while (from < sorted.length && sorted[from]!.end <= start) from += 1;
    for (let at = from; at < sorted.length && sorted[at]!.start < end; at += 1)
      covered += Math.max(0, Math.min(end, sorted[at]!.end) - Math.max(start, sorted[at]!.start));
  }
  return covered * 2 > length;
}
