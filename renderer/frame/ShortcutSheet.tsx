import { Kbd, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Action, useActionWords } from '../base/actions.ts';
import { commandKey, placeLetters, printed } from '../base/keyboard.ts';
import { places } from '../base/route.ts';
import { headActions, pageActions } from '../library/head-actions.ts';
import { viewerActions } from '../viewer/viewer-actions.ts';
import classes from './ShortcutSheet.module.css';

/** Keys in the order they are pressed; `then` between steps of a sequence. */
type Keys = readonly string[];

export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['app', 'library', 'live', 'viewer']);
  const { nameOf } = useActionWords();
  /** What a table says of its keys, so that the sheet can't know it otherwise. */
  const rowsOf = <At,>(table: readonly Action<At>[], ...ids: string[]): [string, Keys][] =>
    table
      .filter(({ id, keys }) => keys && (ids.length === 0 || ids.some((one) => id.startsWith(one))))
      .map((action) => [nameOf(action), [printed(action.keys![0]!)]]);
  const flags = rowsOf(headActions, 'heads.pick', 'heads.reject', 'heads.unflag');
  const groups: { title: string; rows: [string, Keys][] }[] = [
    {
      title: t('shortcuts.goTo'),
      rows: places.map((place) => [t(`places.${place}`), ['G', placeLetters[place]]]),
    },
    {
      title: t('shortcuts.anywhere'),
      rows: [
        [t('shortcuts.palette'), [`${commandKey} K`]],
        [t('shortcuts.settings'), [`${commandKey} ,`]],
        [t('shortcuts.sheet'), ['?']],
      ],
    },
    {
      title: t('shortcuts.portraits'),
      rows: [
        [t('shortcuts.female'), ['F']],
        [t('shortcuts.male'), ['M']],
        [t('shortcuts.single'), ['1']],
        [t('shortcuts.double'), ['2']],
        [t('shortcuts.samePerson'), ['P']],
        [t('shortcuts.separate'), ['⇧ P']],
        [t('shortcuts.move'), ['← →']],
        [t('shortcuts.selectAll'), [`${commandKey} A`]],
        [t('shortcuts.remove'), ['Del']],
        [t('shortcuts.undo'), [`${commandKey} Z`]],
      ],
    },
    {
      title: t('shortcuts.library'),
      rows: [
        [t('library:search'), ['/']],
        [t('shortcuts.choose'), ['← → ↑ ↓', 'Space']],
        [t('shortcuts.selectAll'), [`${commandKey} A`]],
        [t('library:bulk.rate'), ['0 – 5']],
        ...flags,
        ...rowsOf(
          headActions,
          'heads.open',
          'heads.compare',
          'heads.speak',
          'heads.rename',
          'heads.export',
          'heads.trash',
          'heads.undo',
        ),
      ],
    },
    {
      title: t('shortcuts.model'),
      rows: [...rowsOf(pageActions), [t('library:bulk.rate'), ['1 – 5']], ...flags],
    },
    {
      title: t('places.live'),
      rows: [
        [t('live:actions.speak'), ['S']],
        [t('live:actions.interrupt'), ['X']],
        [t('shortcuts.record'), ['R']],
        [t('live:actions.framing'), ['C']],
        [t('shortcuts.expressions'), ['1 – 9']],
        [t('shortcuts.talk'), [t('shortcuts.space')]],
        [t('shortcuts.popOut'), ['P']],
      ],
    },
    {
      title: t('places.takes'),
      rows: [
        [t('shortcuts.play'), [t('shortcuts.space')]],
        [t('shortcuts.step'), ['← →']],
        [t('shortcuts.stepSecond'), ['Shift ← →']],
        [t('shortcuts.loop'), ['L']],
        [t('shortcuts.moveTake'), ['↑ ↓']],
        [t('shortcuts.trashTake'), ['Del']],
      ],
    },
    {
      title: t('shortcuts.viewer'),
      rows: [[t('shortcuts.orbit'), ['← → ↑ ↓']], ...rowsOf(viewerActions)],
    },
  ];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('shortcuts.title')}
      size={720}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text c="dimmed" mb="lg">
        {t('shortcuts.intro')}
      </Text>
      <div className={classes.groups}>
        {groups.map(({ title, rows }) => (
          <section key={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl className={classes.rows}>
              {rows.map(([what, keys]) => (
                <div key={what} className={classes.row}>
                  <dt>{what}</dt>
                  <dd>
                    {keys.map((key, step) => (
                      <span key={key}>
                        {step > 0 && <span className={classes.then}>{t('shortcuts.afterwards')}</span>}
                        {key.split(' ').map((one) => (
                          <Kbd key={one} size="xs">
                            {one}
                          </Kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
