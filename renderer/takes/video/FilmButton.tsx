import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMovie } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { useActions } from '../../base/actions.ts';
import { useKeyedState } from '../keyed-state.ts';
import { FilmDialog } from './FilmDialog.tsx';
import { filming } from './filming.ts';

/** Opens the dialog that films a take on a head. @param modelId empty: the default head */
export const FilmButton = memo(function FilmButton(props: {
  take: Take;
  modelId: string;
  /** How long it plays, as it is edited. */
  seconds: number;
}) {
  const { take, modelId, seconds } = props;
  const { t } = useTranslation('takes');
  const [opened, setOpened] = useKeyedState(take.id, false);
  const isFilming = filming.use((now) => now !== null);
  useActions(
    'pages.takes',
    isFilming
      ? []
      : [{ id: 'takes.film', words: 'takes:film.button', icon: IconMovie, run: () => setOpened(true) }],
    undefined,
  );
  return (
    <>
      <Tooltip label={isFilming ? t('film.busy') : t('film.button')}>
        <ActionIcon aria-label={t('film.button')} disabled={isFilming} onClick={() => setOpened(true)}>
          <IconMovie size={17} />
        </ActionIcon>
      </Tooltip>
      {opened && (
        <FilmDialog
          takes={[{ id: take.id, name: take.name, modelId, seconds }]}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
});
