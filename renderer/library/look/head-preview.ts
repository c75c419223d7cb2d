/** The draft's look as the engine makes it, where the present mesh can't show it. */
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Model } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import { headPreviewsKey } from '../../base/studio-queries.ts';
import { canPreview } from '../../viewer/look/can-preview.ts';
import type { LookDraft } from './look-state.ts';

/** Milliseconds without a change before another preview is made: a slider that is dragged orders two. */
const settles = 250;

/** When a draft last changed: the first change asks at once, those soon after it once they settle. */
let changedAt = Number.NEGATIVE_INFINITY;

async function settled(signal: AbortSignal): Promise<void> {
  const now = performance.now();
  const isFirst = now - changedAt > settles;
  changedAt = now;
  if (isFirst) return;
  await new Promise((resolve) => setTimeout(resolve, settles));
  signal.throwIfAborted();
}

/** Milliseconds on a head's page after which its photo is read: nothing is read while heads are leafed through. */
const staysAfter = 500;
/** Milliseconds that the engine keeps a photo read, less the time that a preview takes. */
const keptFor = 50_000;

/**
 * Has the engine read a head's photo while nothing else is asked of it, so that the first preview comes sooner.
 *
 * @param isWanted - The head is drawn; reading its photo must not slow that down.
 * @returns Call it when somebody is about to change the look: it has been a while since the photo was read.
 */
export function usePreparedPreview({ id, version, hasPortrait }: Model, isWanted: boolean): () => void {
  const { isStale, isFetching, refetch } = useQuery({
    queryKey: [...headPreviewsKey, 'prepared', id, version],
    async queryFn({ signal }) {
      await new Promise((resolve) => setTimeout(resolve, staysAfter));
      signal.throwIfAborted();
      await studio.batch.prepareHeadPreview({ modelId: id });
      return null;
    },
    enabled: isWanted && hasPortrait,
    gcTime: 0,
    staleTime: keptFor,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: also where another head is looked at
  useEffect(
    () => () => void studio.batch.prepareHeadPreview({ modelId: null }).catch(() => undefined),
    [id, version],
  );
  return () => {
    if (isWanted && isStale && !isFetching) void refetch();
  };
}

export interface HeadPreview {
  /** `unneeded`: the present mesh shows the look; `failed`: the look is seen when the head is made. */
  state: 'unneeded' | 'making' | 'made' | 'failed';
  /** The last one that was made; it may be of an earlier look while the next one is made. */
  url: string | undefined;
}

export function useHeadPreview({ id, version, hasPortrait }: Model, draft: LookDraft): HeadPreview {
  const { wanted } = draft;
  const isNeeded = draft.changed.some((name) => !canPreview(name, draft));
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...headPreviewsKey, id, version, wanted],
    async queryFn({ signal }) {
      await settled(signal);
      return studio.batch.previewHead({ modelId: id, options: chosenOptions(wanted) });
    },
    enabled: isNeeded && hasPortrait,
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    // The studio keeps the last one alone.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!isNeeded) return { state: 'unneeded', url: undefined };
  const url = data && assetUrl(data.preview, 'head-preview');
  if (error || !hasPortrait) return { state: 'failed', url: undefined };
  return { state: url && !isPlaceholderData ? 'made' : 'making', url };
}
