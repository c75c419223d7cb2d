/** The other tries of a take, and the operations that take its movement from them. */

import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { recordedAttempt } from '@likeness/proto/takes/edits/apply_operation.ts';
import { type FaceRegion, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TakeOverdub } from '#contract';
import { studio } from '../../../base/studio.ts';
import { queryClient } from '../../../base/studio-queries.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import { loadTriedFace } from './overdub-face.ts';

const overdubsKey = (take: string) => ['take-tries', take];

const overdubsQuery = (take: string) =>
  queryOptions({ queryKey: overdubsKey(take), queryFn: () => studio.takeEdits.overdubs({ id: take }) });

/** Oldest first. */
export const useOverdubs = (take: string): UseQueryResult<TakeOverdub[]> => useQuery(overdubsQuery(take));

export const setOverdubs = (take: string, overdubs: TakeOverdub[]): void => {
  queryClient.setQueryData(overdubsKey(take), overdubs);
};

const noOverdubs: TakeOverdub[] = [];

/** Those that edits take something of. */
function takenOf(overdubs: readonly TakeOverdub[], taken: TakeEdits['taken']): TakeOverdub[] {
  const ids = new Set(faceRegions.flatMap((region) => taken[region].map(({ attempt }) => attempt)));
  return overdubs.filter(({ id }) => ids.has(id));
}

const triedFaceQuery = ({ id, startsAt }: TakeOverdub) =>
  queryOptions({
    queryKey: ['take-try', id, startsAt],
    queryFn: ({ signal }) => loadTriedFace(id, startsAt, signal),
    gcTime: 30_000,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** As `useTriedFaces`, without those that can't be read. */
export async function triedFaces(
  take: string,
  taken: TakeEdits['taken'],
): Promise<ReadonlyMap<string, PlayableFace>> {
  if (faceRegions.every((region) => taken[region].length === 0)) return new Map();
  const wanted = takenOf(await queryClient.fetchQuery(overdubsQuery(take)), taken);
  const faces = await Promise.all(
    wanted.map((overdub) => queryClient.fetchQuery(triedFaceQuery(overdub)).catch(() => null)),
  );
  return new Map(wanted.flatMap(({ id }, at) => (faces[at] ? [[id, faces[at]] as const] : [])));
}

/** Faces of those tries that edits take something of, by seconds of the take. */
export function useTriedFaces(take: string, taken: TakeEdits['taken']): ReadonlyMap<string, PlayableFace> {
  const { data: overdubs = noOverdubs } = useOverdubs(take);
  const wanted = useMemo(() => takenOf(overdubs, taken), [overdubs, taken]);
  return useQueries({ queries: wanted.map(triedFaceQuery), combine: combined(wanted) });
}

/** One function for one list, so that its result stays the same object until a face is there. */
const combinations = new WeakMap<
  readonly TakeOverdub[],
  (results: readonly { data: PlayableFace | undefined }[]) => ReadonlyMap<string, PlayableFace>
>();
function combined(wanted: readonly TakeOverdub[]) {
  const known = combinations.get(wanted);
  if (known) return known;
  const combine = (
    results: readonly { data: PlayableFace | undefined }[],
  ): ReadonlyMap<string, PlayableFace> =>
    new Map(results.flatMap(({ data }, at) => (data ? [[wanted[at]!.id, data] as const] : [])));
  combinations.set(wanted, combine);
  return combine;
}

/** Takes regions from a try between two times; `recordedAttempt`: from the recording. */
export const takeOperations = (
  regions: readonly FaceRegion[],
  { from, to }: TimeRange,
  attempt: string,
): EditOperation[] => regions.map((region) => ({ kind: 'take', region, from, to, attempt }));

/** A try over its take: drawn by hand alone, a region would not show it. */
export const tryOperations = (
  regions: readonly FaceRegion[],
  range: TimeRange,
  attempt: string,
  edits: TakeEdits,
): EditOperation[] => [
  ...regions
    .filter((region) => edits.regions[region].source === 'drawn')
    .map((region): EditOperation => ({ kind: 'region', region, changes: { source: 'measured' } })),
  ...takeOperations(regions, range, attempt),
];

/** Returns the operations that replace all parts of an overdub by the recording. */
export const withoutTry = ({ taken }: TakeEdits, attempt: string): EditOperation[] =>
  faceRegions.flatMap((region) =>
    taken[region]
      .filter((stretch) => stretch.attempt === attempt)
      .flatMap((stretch) => takeOperations([region], stretch, recordedAttempt)),
  );

/** Seconds of the take that a try covers. */
export const coveredBy = ({ startsAt, seconds }: TakeOverdub, takeSeconds: number): TimeRange => ({
  from: Math.max(0, startsAt),
  to: Math.min(takeSeconds, startsAt + seconds),
});

/** The next or the one before of the tries that cover a stretch, with the recording as one of them. */
export function triedNext(
  overdubs: readonly TakeOverdub[],
  { taken }: TakeEdits,
  regions: readonly FaceRegion[],
  range: TimeRange,
  step: 1 | -1,
): string {
  const middle = (range.from + range.to) / 2;
  const [region] = regions;
  const now =
    (region && taken[region].find(({ from, to }) => from <= middle && middle < to)?.attempt) ??
    recordedAttempt;
  const choices = [
    recordedAttempt,
    ...overdubs
      .filter(({ startsAt, seconds }) => startsAt <= middle && middle < startsAt + seconds)
      .map(({ id }) => id),
  ];
  const at = Math.max(0, choices.indexOf(now));
  return choices[(at + step + choices.length) % choices.length]!;
}
