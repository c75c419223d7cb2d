import type { Take } from '#contract';

/** One of the two faces that are compared: a take's live face, or the one of its full pass. */
export interface ComparedFace {
  id: string;
  face: Take['shownFace'];
}

/** As an address names it; without a face the one that the take shows. */
export type NamedFace = Pick<ComparedFace, 'id'> & { face: ComparedFace['face'] | null };

/** As it stands in the address. Ids have no dot. */
export const comparedPart = ({ id, face }: ComparedFace): string => `${id}.${face}`;

/** Both, from what stands behind `compare` in the address; null where it names no two. */
export function comparedIn(parts: readonly string[]): readonly [NamedFace, NamedFace] | null {
  const [first, second] = parts.map((part): NamedFace => {
    const [id = '', face] = part.split('.');
    return { id, face: face === 'second' || face === 'live' ? face : null };
  });
  return first?.id && second?.id ? [first, second] : null;
}
