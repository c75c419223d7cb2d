import { phoneParts } from '@likeness/proto/speech/phones.ts';
import type { Segment } from './refine_boundaries.ts';
import type { VisemeScores } from './viseme_scores.ts';

/** Mean loss of a phone's frames against the freest path, nats. */
export function meanScore({ phone, start, end }: Segment, scores: VisemeScores): number {
  let [total, passed, at, count] = [0, 0, Math.round(start), 0];
  for (const { viseme, share } of phoneParts(phone)) {
    passed += share;
    const to = Math.min(scores.frames, Math.round(start + passed * (end - start)));
    for (; at < to; at++, count++) total += scores.at(at, viseme);
  }
  return count > 0 ? total / count : 0;
}
