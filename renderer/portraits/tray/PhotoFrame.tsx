import { IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import classes from './PhotoFrame.module.css';

/** A photo as large as its place allows, with what is drawn on it. */
export function PhotoFrame(props: {
  photo: Photo;
  /**
   * Larger than it fits, and moved from the middle by so many pixels; what is beyond the frame is cut off.
   */
  view?: { zoom: number; x: number; y: number };
  /** Told the shape of the picture that is shown, width to height. */
  onShape?: (shape: number) => void;
  /** @param shape - Width to height; undefined until it is known. */
  children?: (shape: number | undefined) => ReactNode;
}) {
  const { photo, view } = props;
  const { t } = useTranslation('portraits');
  // What a browser can't read itself (HEIC, TIFF) comes as the small picture that the studio made of it.
  const [kind, setKind] = useState<'photo' | 'photo-small' | 'none'>('photo');
  const [shape, setShape] = useState(photo.width > 0 ? photo.width / photo.height : undefined);
  if (kind === 'none')
    return (
      <div className={classes.none}>
        <IconPhotoOff size={40} stroke={1.2} aria-hidden />
        <p>{t('unreadable')}</p>
      </div>
    );
  return (
    <div className={classes.frame} data-cut={view !== undefined || undefined}>
      <div
        className={classes.photo}
        style={
          shape
            ? {
                aspectRatio: shape,
                width: `calc(min(100cqw, 100cqh * ${shape}) * ${view?.zoom ?? 1})`,
                ...(view && { translate: `calc(${view.x}px - 50%) calc(${view.y}px - 50%)` }),
              }
            : undefined
        }
      >
        <img
          src={assetUrl(photo.id, kind)}
          alt={photo.name || photo.fileName}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            setShape(naturalWidth / naturalHeight);
            props.onShape?.(naturalWidth / naturalHeight);
          }}
          onError={() => setKind(kind === 'photo' ? 'photo-small' : 'none')}
        />
        {props.children?.(shape)}
      </div>
    </div>
  );
}
