import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { leavesFace } from '@likeness/proto/takes/edits/apply_operation.ts';
import { editedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Take } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { useEditSession } from '../editor/edits/edit-session.ts';
import { useEditContext, usePlayedTime } from '../editor/edits/take-time.ts';
import { loadTake } from '../face/take-file.ts';
import type { ComparedFace } from './compare-route.ts';

/** One of two faces that are compared, as it is shown. */
export interface ComparedSide extends ComparedFace {
  name: string;
  /** Seconds that play. */
  seconds: number;
  model: string;
  /** Undefined until it is read. */
  shown: PackedFace | undefined;
  /** Address of what is heard. */
  sound: string;
  /** There are edits: recorded and edited are two. */
  isEdited: boolean;
  isGone: boolean;
}

/** @param asEdited as its edits make it, face and sound; false: as it was recorded */
export function useSide({ id, face }: ComparedFace, listed: Take, asEdited: boolean): ComparedSide {
  const take = useMemo(() => ({ ...listed, shownFace: face }), [listed, face]);
  const { data: loaded, isError } = useQuery({
    queryKey: ['compared-take', id, face],
    queryFn: ({ signal }) => loadTake({ id, shownFace: face }, signal),
    gcTime: 30_000,
    retry: false,
  });
  const session = useEditSession(id);
  const edits = session.kept.use((state) => state?.edits ?? null);
  const context = useEditContext(take, session);
  const played = usePlayedTime(session, take);
  const isEdited = edits !== null && !(leavesFace(edits) && played === null);
  const shown = useMemo(
    () =>
      loaded && (asEdited && edits ? PackedFace.of(editedFace(loaded.face, edits, context)) : loaded.face),
    [loaded, asEdited, edits, context],
  );
  const cut = asEdited ? played : null;
  return {
    id,
    face,
    name: take.name,
    seconds: cut?.seconds ?? take.seconds,
    model: take.model,
    shown,
    sound: cut?.sound ?? assetUrl(id, 'take-audio'),
    isEdited,
    isGone: isError,
  };
}
