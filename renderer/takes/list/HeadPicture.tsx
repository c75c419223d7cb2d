import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import { useSettings } from '../../base/studio-queries.ts';
import classes from './HeadPicture.module.css';

/** Milliseconds before a default head is photographed: the open take's head comes first. */
const afterStage = 4000;

/** The picture of a take's head. @param props.modelId empty: the default head */
export function HeadPicture({ modelId }: { modelId: string }) {
  const head = useQuery({
    queryKey: ['live-models', 'chosen', modelId],
    queryFn: () => studio.library.model({ id: modelId }),
    enabled: modelId !== '',
    retry: false,
  });
  // A head that was removed from the library is shown as the default one, on the stage as well.
  const isDefault = modelId === '' || head.isError;
  const ownPicture = useDefaultHeadPicture(isDefault);
  const url = isDefault
    ? ownPicture
    : head.data?.hasThumbnail && `${assetUrl(modelId, 'thumbnail')}?v=${head.data.version}`;
  return url ? (
    <img className={classes.picture} src={url} alt="" decoding="async" draggable={false} />
  ) : (
    <IconUser size={24} stroke={1.3} aria-hidden />
  );
}

/** The library has no picture of the default heads: it is made once, when the page is quiet. */
function useDefaultHeadPicture(isWanted: boolean): string | undefined {
  const { defaultHead } = useSettings();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const due = setTimeout(() => setDue(true), afterStage);
    return () => clearTimeout(due);
  }, [isWanted]);
  const { data } = useQuery({
    queryKey: ['default-head-picture', defaultHead],
    queryFn: async ({ signal }) => {
      const { thumbnailOf } = await import('../../viewer/thumbnail.ts');
      return `data:image/webp;base64,${await thumbnailOf(assetUrl(defaultHead, 'default-head'), signal)}`;
    },
    enabled: isWanted && isDue,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
