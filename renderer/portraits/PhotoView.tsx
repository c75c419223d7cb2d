import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assetUrl, type Photo } from '#contract';
import classes from './PhotoView.module.css';

/** Findings that are about a place in the photo are drawn there: on the face that was found. */
const tone = (check: Photo['check']): 'good' | 'warn' | 'bad' =>
  check === 'blocked' ? 'bad' : check === 'warning' ? 'warn' : 'good';

/** A photo, large, with what the check found drawn on it: the face, and the crop that would do better. */
export function PhotoView({ photo, plain = false }: { photo: Photo; plain?: boolean }) {
  const { t } = useTranslation('portraits');
  const { id, face, suggestedCrop, crop, check, findings } = photo;
  // What a browser can't read itself (HEIC, TIFF) comes as the small picture that the studio made of it.
  const [kind, setKind] = useState<'photo' | 'photo-small' | 'none'>('photo');
  const [shape, setShape] = useState(photo.width > 0 ? photo.width / photo.height : undefined);
  const cut = crop ?? suggestedCrop;
  if (kind === 'none')
    return (
      <div className={classes.none}>
        <IconPhotoOff size={40} stroke={1.2} aria-hidden />
        <p>{t('unreadable')}</p>
      </div>
    );
  return (
    <div className={classes.frame}>
      <div
        className={classes.photo}
        style={shape ? { aspectRatio: shape, width: `min(100%, calc(100cqh * ${shape}))` } : undefined}
      >
        <img
          src={assetUrl(id, kind)}
          alt={photo.name || photo.fileName}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setShape(naturalWidth / naturalHeight)
          }
          onError={() => setKind(kind === 'photo' ? 'photo-small' : 'none')}
        />
        {!plain && (
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={classes.marks} aria-hidden="true">
            {cut && (
              <path
                className={crop ? classes.cut : classes.suggested}
                fillRule="evenodd"
                d={`M0 0H100V100H0Z M${cut.x * 100} ${cut.y * 100}h${cut.width * 100}v${cut.height * 100}h${-cut.width * 100}Z`}
              />
            )}
            {face && (
              <rect
                className={classes.face}
                data-tone={tone(check)}
                x={face.x * 100}
                y={face.y * 100}
                width={face.width * 100}
                height={face.height * 100}
              />
            )}
          </svg>
        )}
        {!plain && findings[0] && (
          <span
            className={classes.label}
            data-tone={tone(check)}
            style={
              face
                ? { left: `${face.x * 100}%`, top: `${(face.y + face.height) * 100}%` }
                : { left: 0, bottom: 0 }
            }
          >
            {findings.map(({ code }) => t(`findings.${code}`)).join(' · ')}
          </span>
        )}
      </div>
    </div>
  );
}
