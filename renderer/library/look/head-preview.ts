/** The draft's look as the engine makes it, where the present mesh can't show it. */
import { chosenOptions, defaultHeadOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Model } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import { headPreviewsKey } from '../../base/studio-queries.ts';
import { canPreview } from '../../viewer/look/can-preview.ts';
import { changedBetween, type LookDraft } from './look-state.ts';

/** Milliseconds without a change after which a preview of a dial is made: on its way there it has many values. */
const settles = 250;

/** Waits so many milliseconds. Throws if the query was cancelled meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
}

/** Previews that are being made. */
let making = 0;

/** Asks at once, unless a dial is being turned or another preview is made: then once the changes settle. */
async function askWhenSettled(
  modelId: string,
  wanted: HeadOptions,
  changed: readonly (keyof HeadOptions)[],
  signal: AbortSignal,
) {
  if (making > 0 || changed.some((name) => typeof defaultHeadOptions[name] === 'number')) {
    await pause(settles, signal);
  }
  making += 1;
  try {
    return await studio.batch.previewHead({ modelId, options: chosenOptions(wanted) });
  } finally {
    making -= 1;
  }
}

/** Milliseconds on a head's page after which its photo is read: nothing is read while heads are leafed through. */
const staysAfter = 500;
/** Milliseconds that the engine keeps a photo read, less the time that a preview takes. */
const keptFor = 50_000;

/**
 * Lets the idle engine read a head's photo, so that the first preview comes sooner.
 *
 * @param isWanted - The head is drawn; reading its photo must not slow that down.
 * @returns Call it when somebody is about to change the look: it has been a while since the photo was read.
 */
export function usePreparedPreview({ id, version, hasPortrait }: Model, isWanted: boolean): () => void {
  const { isStale, isFetching, refetch } = useQuery({
    queryKey: [...headPreviewsKey, 'prepared', id, version],
    async queryFn({ signal }) {
      await pause(staysAfter, signal);
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
  const before = useRef(wanted);
  // The present mesh hides the hair at once, but its skin still shows the photo's.
  const isNeeded = draft.changed.some((name) => name === 'hair' || !canPreview(name, draft));
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...headPreviewsKey, id, version, wanted],
    queryFn: ({ signal }) => askWhenSettled(id, wanted, changedBetween(before.current, wanted), signal),
    enabled: isNeeded && hasPortrait,
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    // The studio keeps the last one alone.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // After the query's own effect, which asks.
  useEffect(() => {
    before.current = wanted;
  }, [wanted]);
  if (!isNeeded) return { state: 'unneeded', url: undefined };
  const url = data && assetUrl(data.preview, 'head-preview');
  if (error || !hasPortrait) return { state: 'failed', url: undefined };
  return { state: url && !isPlaceholderData ? 'made' : 'making', url };
}
