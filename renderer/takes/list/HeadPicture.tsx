import { IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Model } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import { useSettings } from '../../base/studio-queries.ts';
import classes from './HeadPicture.module.css';
// Drawn heads of nobody, as `thumbnailOf` photographs them: made here, they would cost a second of drawing.
import woman from './heads/default.webp?no-inline';
import man from './heads/man.webp?no-inline';
import stylised from './heads/stylised.webp?no-inline';

const ownPictures = { default: woman, man, stylised };

/**
 * The head of a take. One that was removed from the library is shown as the default one, on the stage as well.
 *
 * @param modelId empty: the default head
 */
export function useTakeHead(modelId: string): { head: Model | undefined; isDefault: boolean } {
  const { data: head, isError } = useQuery({
    queryKey: ['live-models', 'chosen', modelId],
    queryFn: () => studio.library.model({ id: modelId }),
    enabled: modelId !== '',
    retry: false,
  });
  return { head, isDefault: isError || modelId === '' };
}

/** The picture of a take's head. @param props.modelId empty: the default head */
export function HeadPicture({ modelId }: { modelId: string }) {
  const { defaultHead } = useSettings();
  const { head, isDefault } = useTakeHead(modelId);
  const url = isDefault
    ? ownPictures[defaultHead]
    : head?.hasThumbnail && `${assetUrl(modelId, 'thumbnail')}?v=${head.version}`;
  return url ? (
    <img className={classes.picture} src={url} alt="" decoding="async" draggable={false} />
  ) : (
    <IconUser size={24} stroke={1.3} aria-hidden />
  );
}
