import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconTrash, IconUsersPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BoardTile, Sex } from '#contract';
import { useKeyNames } from '../../base/shortcuts/shortcuts.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { samePerson, separate } from '../people/people-orders.ts';
import { tag } from '../tray/tagging.ts';
import { Keyed } from '../tray/WordFields.tsx';
import classes from './Board.module.css';
import { tileActions } from './board-actions.ts';
import { boardSelection } from './board-list.ts';
import { MakeChosen } from './MakeButton.tsx';
import { ask, removeTiles } from './tile-orders.ts';

/** The actions on several selected tiles, over the foot of the grid. */
export function ActionBar({
  ids,
  tiles,
  isNarrow,
}: {
  ids: string[];
  tiles: readonly BoardTile[];
  isNarrow: boolean;
}) {
  const { t } = useTranslation(['portraits', 'app']);
  const key = useKeyNames();
  const count = ids.length;
  const selection = { ids };
  const sexes = new Set(tiles.map(({ photo }) => photo?.sex));
  const canMake = tiles.some(({ photo, job }) => photo && !job) || tiles.length < count;
  return (
    <section className={classes.actions} data-notice-floor aria-label={t('board.selected', { count })}>
      <ActionIcon aria-label={t('board.clearSelection')} onClick={() => boardSelection.clear()}>
        <IconX size={17} />
      </ActionIcon>
      <span className={classes.count} role="status">
        {t('board.selected', { count })}
      </span>
      {canMake && (
        <>
          <SegmentedControl
            aria-label={t('sex')}
            value={sexes.size === 1 ? ([...sexes][0] ?? '') : ''}
            data={[
              {
                value: 'female',
                label: isNarrow ? (
                  t('short.female')
                ) : (
                  <Keyed label={t('female')} letter={key('photos.female')} />
                ),
              },
              {
                value: 'male',
                label: isNarrow ? t('short.male') : <Keyed label={t('male')} letter={key('photos.male')} />,
              },
            ]}
            onChange={(value) => tag(selection, { sex: value as Sex })}
          />
          {!isNarrow && (
            <>
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconPencil size={15} />}
                onClick={() => ask({ kind: 'rename' })}
              >
                {t('board.name')}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconUsersPlus size={15} />}
                onClick={() => samePerson(selection)}
              >
                {t('people.same')}
              </Button>
            </>
          )}
        </>
      )}
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <ActionIcon aria-label={t('board.moreForSelected')}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canMake && (
            <>
              {isNarrow && (
                <>
                  <Menu.Item onClick={() => ask({ kind: 'rename' })}>{t('many.names')}</Menu.Item>
                  <Menu.Item onClick={() => samePerson(selection)}>{t('people.same')}</Menu.Item>
                </>
              )}
              <Menu.Item onClick={() => ask({ kind: 'tags' })}>{t('many.tags')}</Menu.Item>
              <Menu.Item onClick={() => separate(selection)}>{t('people.separate')}</Menu.Item>
              <Menu.Label>{t('eyelid')}</Menu.Label>
              <Menu.Item onClick={() => tag(selection, { eyelidType: 'single' })}>{t('single')}</Menu.Item>
              <Menu.Item onClick={() => tag(selection, { eyelidType: 'double' })}>{t('double')}</Menu.Item>
              <Menu.Item onClick={() => tag(selection, { eyelidType: null })}>{t('unset')}</Menu.Item>
              <Menu.Divider />
            </>
          )}
          <ActionItems
            table={tileActions}
            at={{ tiles }}
            groups={[
              ['jobs.settle', 'jobs.retry'],
              ['jobs.cancel', 'tiles.archive'],
            ]}
          />
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={t('remove')}>
        <ActionIcon aria-label={t('remove')} onClick={() => removeTiles(ids)}>
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
      {canMake && <MakeChosen ids={ids} />}
    </section>
  );
}
