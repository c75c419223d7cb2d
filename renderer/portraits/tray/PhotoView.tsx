import type { ComponentProps } from 'react';
import type { Photo } from '#contract';
import { useFindingWords } from './finding-words.ts';
import { PhotoFrame } from './PhotoFrame.tsx';
import classes from './PhotoView.module.css';

const tone = (check: Photo['check']): 'good' | 'warn' | 'bad' =>
  check === 'blocked' ? 'bad' : check === 'warning' ? 'warn' : 'good';

/** A photo, large, with what the check found drawn on it: the face, and the crop that would do better. */
export function PhotoView({ photo, ...frame }: Omit<ComponentProps<typeof PhotoFrame>, 'children'>) {
  const words = useFindingWords();
  const { face, suggestedCrop, crop, check, findings } = photo;
  const cut = crop ?? suggestedCrop;
  return (
    <PhotoFrame photo={photo} {...frame}>
      {() => (
        <>
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
          {findings[0] && (
            <span
              className={classes.label}
              data-tone={tone(check)}
              style={
                face
                  ? { left: `${face.x * 100}%`, top: `${(face.y + face.height) * 100}%` }
                  : { left: 0, bottom: 0 }
              }
            >
              {findings.map(words.name).join(' · ')}
            </span>
          )}
        </>
      )}
    </PhotoFrame>
  );
}
