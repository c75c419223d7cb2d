import { IconFileBroken, IconUserQuestion } from '@tabler/icons-react';
import { useEffect } from 'react';
import { assetUrl, type ModelCard } from '#contract';
import { studio } from '../app/studio.ts';
import classes from './Thumbnail.module.css';

/** Heads whose picture could not be made: asked once, not at every scroll. */
const hopeless = new Set<string>();

/** A head's picture. A model that came without one is photographed here, when it is first seen. */
export function Thumbnail({ model }: { model: ModelCard }) {
  const { id, hasThumbnail, state, version } = model;
  const wanted = !hasThumbnail && state === 'ok' && !hopeless.has(id);
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    // A head that is only scrolled past is not worth loading.
    const due = setTimeout(async () => {
      try {
        // three.js stays out of the library's first chunk.
        const { thumbnailOf } = await import('../viewer/thumbnail.ts');
        const webp = await thumbnailOf(assetUrl(id, 'model'), stop.signal);
        await studio.library.setThumbnail({ id, webp });
      } catch {
        if (!stop.signal.aborted) hopeless.add(id); // it keeps its stand-in; opening it tells why
      }
    }, 300);
    return () => {
      clearTimeout(due);
      stop.abort();
    };
  }, [wanted, id]);
  if (state !== 'ok')
    return (
      <span className={classes.broken}>
        <IconFileBroken size={30} stroke={1.2} aria-hidden />
      </span>
    );
  if (!hasThumbnail)
    return (
      <span className={classes.none}>
        <IconUserQuestion size={30} stroke={1.2} aria-hidden />
      </span>
    );
  return (
    <img
      className={classes.picture}
      src={`${assetUrl(id, 'thumbnail')}?v=${version}`}
      alt=""
      decoding="async"
      draggable={false}
    />
  );
}
