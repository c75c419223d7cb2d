import type { Take } from '#contract';

/** One of the two faces that are compared: a take's live face, or the one of its second hearing. */
export interface ComparedFace {
  id: string;
  face: Take['shownFace'];
}

/** As it stands in the address. Ids have no dot. */
export const comparedPart = ({ id, face }: ComparedFace): string => `${id}.${face}`;

/** Both, from what stands behind `compare` in the address; null where it names no two. */
export function comparedIn(parts: readonly string[]): readonly [ComparedFace, ComparedFace] | null {
  const [first, second] = parts.map((part): ComparedFace => {
    const [id = '', face] = part.split('.');
    return { id, face: face === 'second' ? 'second' : 'live' };
  });
  return first?.id && second?.id ? [first, second] : null;
}
