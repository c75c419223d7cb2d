/** How strongly and how smoothly a face is applied to a head; plain values that can be stored. */
export const regions = ['jaw', 'mouth', 'cheeks', 'brows', 'eyes'] as const;
export type Region = (typeof regions)[number];

export interface FaceStyle {
  /** Factor on the weights of each region, 0..2. */
  gains: Record<Region, number>;
  /** Milliseconds that the face takes to follow; 0: at once. */
  smoothing: number;
  headMotion: boolean;
  eyeMotion: boolean;
}

export const plainFaceStyle: FaceStyle = {
  gains: { jaw: 1, mouth: 1, cheeks: 1, brows: 1, eyes: 1 },
  smoothing: 0,
  headMotion: true,
  eyeMotion: true,
};
