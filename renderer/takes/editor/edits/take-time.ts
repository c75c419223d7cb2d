/** Playback sources of an edited take: its cut and retimed audio, and the sources of its face. */

import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { type EditContext, noContext } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { type TimeMap, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Take } from '#contract';
import { assetUrl } from '../../../base/asset-url.ts';
import { queryClient } from '../../../base/studio-queries.ts';
import { loadTake } from '../../face/take-file.ts';
import { takeKey } from '../../speech/take-analysis.ts';
import { triedFaces, useTriedFaces } from '../overdub/take-overdubs.ts';
import type { EditSession } from './edit-session.ts';

export interface PlayedSound extends TimeMap {
  /** Address of the sound as it plays. */
  readonly sound: string;
}

/** Null: nothing is cut or retimed. */
export function usePlayedTime(session: EditSession, { id, seconds }: Take): PlayedSound | null {
  // What main has: it makes the sound.
  const pieces = session.kept.use((state) => state?.edits.pieces);
  return useMemo(() => {
    const map = timeMap(pieces ?? [], seconds);
    if (map.isWhole) return null;
    // What follows the question mark is nobody's but the cache's: other pieces are another sound.
    const revision = session.kept.get()?.revision ?? 0;
    return { ...map, sound: `${assetUrl(id, 'take-edited-audio')}?${revision}` };
  }, [pieces, seconds, id, session]);
}

const isInferred = (edits: TakeEdits): boolean =>
  faceRegions.some((region) => edits.regions[region].source === 'inferred');

/** The face of the whole sound where another one is shown. */
const inferredQuery = (take: Take) =>
  queryOptions({
    queryKey: takeKey(take.id, 'second', take.addedSeconds),
    queryFn: ({ signal }) => loadTake({ ...take, shownFace: 'second' }, signal),
    gcTime: 30_000,
  });
const hasInferred = ({ shownFace, fullPass }: Take): boolean => shownFace === 'live' && fullPass === 'done';

/** As `useEditContext`. */
export async function loadEditContext(take: Take, edits: TakeEdits): Promise<EditContext> {
  const [inferred, attempts] = await Promise.all([
    isInferred(edits) && hasInferred(take) ? queryClient.fetchQuery(inferredQuery(take)) : null,
    triedFaces(take.id, edits.taken),
  ]);
  return { ...noContext(take.seconds), inferred: inferred?.face ?? null, attempts };
}

/** The face of the whole sound is read where a region wants it, and another one is shown; so are tries. */
export function useEditContext(take: Take, session: EditSession): EditContext {
  const { seconds } = take;
  const isWanted = session.shown.use(isInferred);
  const { data } = useQuery({ ...inferredQuery(take), enabled: isWanted && hasInferred(take) });
  const inferred = data?.face ?? null;
  const attempts = useTriedFaces(
    take.id,
    session.shown.use((edits) => edits.taken),
  );
  return useMemo(() => ({ ...noContext(seconds), inferred, attempts }), [seconds, inferred, attempts]);
}
