/** Treatment of glasses in a photo: kept as an object of their own (`seen`) or removed. */
export const glassesChoices = ['seen', 'removed'] as const;
export type GlassesChoice = (typeof glassesChoices)[number];
