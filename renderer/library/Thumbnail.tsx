import { IconFileBroken, IconUserQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import type { ModelCard } from '#contract';
import { assetUrl } from '../base/asset-url.ts';
import { useMissingThumbnail } from '../viewer/missing-thumbnail.ts';
import { useTyping } from './model-list.ts';
import classes from './Thumbnail.module.css';

/** A head's picture. A model that came without one is photographed here, when it is first seen. */
export function Thumbnail({ model }: { model: ModelCard }) {
  const { id, hasThumbnail, state, version, fault } = model;
  // One that could not be drawn is not tried again here: opening it tells why.
  if (state !== 'ok' || (!hasThumbnail && fault !== ''))
    return (
      <span className={classes.broken}>
        <IconFileBroken size={30} stroke={1.2} aria-hidden />
      </span>
    );
  if (!hasThumbnail) return <Unseen id={id} />;
  return <Picture url={`${assetUrl(id, 'thumbnail')}?v=${version}`} />;
}

/**
 * While a search is typed its names come with the key, its pictures once the typing pauses: each is a file.
 */
function Picture({ url }: { url: string }) {
  const typing = useTyping();
  const [wanted, setWanted] = useState(url);
  if (!typing && wanted !== url) setWanted(url);
  // Of another key, so that no head is seen under another's name until its own picture has come.
  return (
    <img
      key={url}
      className={classes.picture}
      src={wanted === url ? url : undefined}
      alt=""
      decoding="async"
      draggable={false}
    />
  );
}

function Unseen({ id }: { id: string }) {
  useMissingThumbnail(id);
  return (
    <span className={classes.none}>
      <IconUserQuestion size={30} stroke={1.2} aria-hidden />
    </span>
  );
}
