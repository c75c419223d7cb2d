import { Button } from '@mantine/core';
import { IconFolder, IconMoodSmile, IconPhotoPlus, IconSearchOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { makeSampleHead } from '../make-sample-head.ts';
import { IntakeNote } from '../tray/IntakeNote.tsx';
import classes from './Board.module.css';
import type { Pickers } from './BoardHeader.tsx';
import { showAll } from './board-list.ts';

/** An empty board: what to put on it, and what comes then. */
export function NoPhotos({ onPickFiles, onPickFolder }: Pickers) {
  const { t } = useTranslation(['portraits', 'app']);
  return (
    <div className={classes.empty}>
      <IntakeNote />
      <div className={classes.frame}>
        <Oval />
        <h2>{t('dropTitle')}</h2>
        <p>{t('dropText')}</p>
        <div className={classes.choices}>
          <Button leftSection={<IconPhotoPlus size={16} />} onClick={onPickFiles}>
            {t('addPhotos')}
          </Button>
          <Button variant="default" leftSection={<IconFolder size={16} />} onClick={onPickFolder}>
            {t('addFolder')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconMoodSmile size={16} />}
            onClick={() =>
              attempt(() =>
                makeSampleHead({ name: t('app:welcome.sampleName'), queued: t('app:welcome.sampleQueued') }),
              )
            }
          >
            {t('app:welcome.sampleFace')}
          </Button>
        </div>
        <p className={classes.formats}>{t('dropFormats')}</p>
        <ol className={classes.steps}>
          {(['add', 'sex', 'make'] as const).map((step, at) => (
            <li key={step}>
              <b>{at + 1}</b>
              {t(`board.steps.${step}`)}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

/** There are tiles, and the filter lets none through. */
export function NothingFound() {
  const { t } = useTranslation('portraits');
  return (
    <EmptyState
      icon={<IconSearchOff size={44} stroke={1.1} />}
      title={t('nothingTitle')}
      text={t('nothingText')}
    >
      <Button variant="default" onClick={showAll}>
        {t('clearFilter')}
      </Button>
    </EmptyState>
  );
}

/** How a good portrait is framed: head upright in the middle. */
function Oval() {
  return (
    <svg viewBox="0 0 88 88" width="88" height="88" className={classes.oval} aria-hidden="true">
      <path d="M44 14c14 0 22 10 22 26S56 72 44 72 22 56 22 40s8-26 22-26z" />
      <path d="M4 20V10a6 6 0 0 1 6-6h10M68 4h10a6 6 0 0 1 6 6v10M84 68v10a6 6 0 0 1-6 6H68M20 84H10a6 6 0 0 1-6-6V68" />
    </svg>
  );
}
