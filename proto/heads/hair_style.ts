/** How a head's hair is made: as the photo shows it, none at all, or stubble alone. */
export const hairStyles = ['seen', 'bald', 'shaved'] as const;
export type HairStyle = (typeof hairStyles)[number];
