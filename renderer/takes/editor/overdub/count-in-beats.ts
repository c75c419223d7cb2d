/** A beat of a count-in. */
export interface Beat {
  /** Seconds from the count-in's beginning. */
  readonly at: number;
  /** Whole seconds from it to the in point. */
  readonly left: number;
}

/** Its beats, one a second up to the in point. @param lead seconds from its end to the in point, which the take plays */
export function beatsOf(countIn: number, lead: number): Beat[] {
  const beats: Beat[] = [];
  for (let left = Math.floor(countIn + lead + 1e-9); left > lead; left--)
    beats.push({ at: Math.max(0, countIn + lead - left), left });
  return beats;
}
