/** What becomes of glasses that a photo shows: painted on the skin as they are seen, or painted away. */
export const glassesChoices = ['seen', 'removed'] as const;
export type GlassesChoice = (typeof glassesChoices)[number];
