/** The draft's look as the engine makes it, where the present mesh can't show it. */
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Model } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import { headPreviewsKey } from '../../base/studio-queries.ts';
import { canPreview } from '../../viewer/look/can-preview.ts';
import type { LookDraft } from './look-state.ts';

/** Milliseconds without a change before another preview is made: a slider that is dragged orders two. */
const settles = 250;

export interface HeadPreview {
  /** `unneeded`: the present mesh shows the look; `failed`: the look is seen when the head is made. */
  state: 'unneeded' | 'making' | 'made' | 'failed';
  /** The last one that was made; it may be of an earlier look while the next one is made. */
  url: string | undefined;
}

export function useHeadPreview({ id, version, hasPortrait }: Model, draft: LookDraft): HeadPreview {
  const isNeeded = draft.changed.some((name) => !canPreview(name, draft));
  const [wanted] = useDebouncedValue(draft.wanted, settles, { leading: true });
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...headPreviewsKey, id, version, wanted],
    queryFn: () => studio.batch.previewHead({ modelId: id, options: chosenOptions(wanted) }),
    enabled: isNeeded && hasPortrait && wanted === draft.wanted,
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    // The studio keeps the last one alone.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!isNeeded) return { state: 'unneeded', url: undefined };
  const url = data && assetUrl(data.preview, 'head-preview');
  if (error || !hasPortrait) return { state: 'failed', url: undefined };
  return { state: url && !isPlaceholderData && wanted === draft.wanted ? 'made' : 'making', url };
}
