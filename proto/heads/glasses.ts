/** Treatment of glasses in a photo: painted on the skin (`seen`) or removed. */
export const glassesChoices = ['seen', 'removed'] as const;
export type GlassesChoice = (typeof glassesChoices)[number];
