import { IconAlertTriangle, IconPlugConnectedX, IconStarFilled } from '@tabler/icons-react';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import { dragHead } from '../dragged-heads.ts';
import { Flag } from '../Flag.tsx';
import { AbsentLibraries } from '../library-queries.ts';
import { Thumbnail } from '../Thumbnail.tsx';
import classes from './ModelCell.module.css';

/** Below the picture: name and what there is to know at a glance. */
const captionHeight = 44;
export const modelCellHeight = (width: number): number => width + captionHeight;

const star = <IconStarFilled size={11} aria-hidden />;

/**
 * A head of the library as its picture. Hundreds are drawn at a key or a
 * turn of the wheel: no more than they need.
 */
export function ModelCell({ item: model, width }: { item: ModelCard; width: number }) {
  const { rating, flag, state, consentExpired } = model;
  const isAway = use(AbsentLibraries).has(model.libraryId);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the collection menu of the selection does the same by keyboard */}
      <span
        className={classes.picture}
        style={{ height: width }}
        data-away={isAway || undefined}
        data-flag={flag ?? undefined}
        draggable
        onDragStart={(event) => dragHead(event, model.id)}
      >
        <Thumbnail model={model} />
      </span>
      <span className={classes.name}>{model.name}</span>
      <span className={classes.line}>
        {flag && <Flag flag={flag} />}
        {isAway ? (
          <Away />
        ) : state !== 'ok' || consentExpired ? (
          <Flaw state={state} />
        ) : (
          <>
            {rating > 0 && (
              <span className={classes.rating} role="img" aria-label={`${rating}/5`}>
                {rating} {star}
              </span>
            )}
            <span className={classes.quiet}>{model.tags.join(' · ')}</span>
          </>
        )}
      </span>
    </>
  );
}

function Away() {
  const { t } = useTranslation('library');
  return (
    <span className={classes.quiet}>
      <IconPlugConnectedX size={13} aria-hidden /> {t('away')}
    </span>
  );
}

function Flaw({ state }: Pick<ModelCard, 'state'>) {
  const { t } = useTranslation('library');
  return (
    <span className={classes.flaw}>
      <IconAlertTriangle size={13} aria-hidden />{' '}
      {state === 'ok' ? t('consentExpired') : t(`states.${state}`)}
    </span>
  );
}
