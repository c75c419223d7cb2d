/** Photos of one person that one head is made of: the front one and at most seven beside it. */
export const maxPhotosPerPerson = 8;

/** An engine's use of one of a person's photos: extension `files` of B2. */
export interface PhotoUse {
  used: boolean;
  /** Why it was not used, in both languages; null where it was, or nobody says. */
  reason: { en: string; zh: string } | null;
  /** The view in the engine's own term, such as `front` or `profile`; empty if the engine gives none. */
  view: string;
  /** Degrees that the head is turned to its left; null where nobody says. */
  yaw: number | null;
}
