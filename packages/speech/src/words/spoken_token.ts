/** The spoken form of a part of the script, without its pronunciation. */
export interface SpokenToken {
  readonly text: string;
  /** UTF-16, in the script. */
  readonly from: number;
  readonly to: number;
  /**
   * `word`: an English word. `letters`: English letters by their names. `han`: Chinese characters, not yet parted
   * into words. `phone_digit`: a Chinese digit of a telephone number. `other`: letters that nothing here reads.
   */
  readonly kind: 'word' | 'letters' | 'han' | 'phone_digit' | 'other';
}

/** A way to read what begins at a place of the script. */
export interface ReadingRule {
  /** Sticky. */
  readonly pattern: RegExp;
  /**
   * Returns the spoken words, or null if the match doesn't apply. May return those of `.slice(0, to)` of the
   * match.
   */
  verbalize(match: RegExpExecArray, context: ReadingContext): readonly string[] | null;
}

export interface ReadingContext {
  /** A little of the script before and after the match. */
  readonly before: string;
  readonly after: string;
}
