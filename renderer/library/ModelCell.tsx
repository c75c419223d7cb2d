import { IconAlertTriangle, IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import { dragHead } from './dragged-heads.ts';
import classes from './ModelCell.module.css';
import { Thumbnail } from './Thumbnail.tsx';

/** Below the picture: name and what there is to know at a glance. */
const captionHeight = 44;
export const modelCellHeight = (width: number): number => width + captionHeight;

/** A head of the library as its picture. */
export function ModelCell({ item: model, width }: { item: ModelCard; width: number }) {
  const { t } = useTranslation('library');
  const { rating, state, consentExpired } = model;
  const flaw = state !== 'ok' ? t(`states.${state}`) : consentExpired ? t('consentExpired') : '';
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the collection menu of the selection does the same by keyboard */}
      <span
        className={classes.picture}
        style={{ height: width }}
        draggable
        onDragStart={(event) => dragHead(event, model.id)}
      >
        <Thumbnail model={model} />
      </span>
      <span className={classes.name}>{model.name}</span>
      <span className={classes.line}>
        {flaw ? (
          <span className={classes.flaw}>
            <IconAlertTriangle size={13} aria-hidden /> {flaw}
          </span>
        ) : (
          <>
            {rating > 0 && (
              <span className={classes.rating} role="img" aria-label={t('stars', { count: rating })}>
                {rating} <IconStarFilled size={11} aria-hidden />
              </span>
            )}
            <span className={classes.quiet}>{model.tags.join(' · ')}</span>
          </>
        )}
      </span>
    </>
  );
}
