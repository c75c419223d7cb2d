import { Kbd, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { type Action, useActionWords } from '../base/actions.ts';
import { pageKeys, printed } from '../base/keyboard.ts';
import { pages } from '../base/route.ts';
import { headActions, pageActions } from '../library/head-actions.ts';
import { useLiveSettings } from '../live/live-settings.ts';
import { useKeyName } from '../live/panels/KeyHint.tsx';
import { viewerActions } from '../viewer/viewer-actions.ts';
import classes from './ShortcutSheet.module.css';

/** Keys in the order they are pressed; `then` between steps of a sequence. */
type Keys = readonly string[];

/** Several keys: as a range where they follow each other as they do at first. */
const inShort = (keys: readonly string[]): string =>
  keys.join('') === '123456789' ? '1 – 9' : keys.join(' ');
const expressions = liveActions.filter((action) => action.startsWith('expression'));

export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['app', 'library', 'live', 'viewer', 'portraits']);
  const { nameOf } = useActionWords();
  const { keys: liveKeys } = useLiveSettings();
  const keyName = useKeyName();
  /** Rows from an action table, so that the sheet always matches the real keys. */
  const rowsOf = <At,>(table: readonly Action<At>[], ...ids: string[]): [string, Keys][] =>
    table
      .filter(({ id, keys }) => keys && (ids.length === 0 || ids.some((one) => id.startsWith(one))))
      .map((action) => [nameOf(action), [printed(action.keys![0]!)]]);
  const flags = rowsOf(headActions, 'heads.pick', 'heads.reject', 'heads.unflag');
  /** Keys of Live as the person set them; an action without a key has no row. */
  const liveRow = (label: string, ...actions: LiveAction[]): [string, Keys][] => {
    const set = actions.flatMap((action) => liveKeys[action] || []);
    return set.length > 0 ? [[label, [inShort(set.map(keyName))]]] : [];
  };
  const groups: { title: string; rows: [string, Keys][] }[] = [
    {
      title: t('shortcuts.goTo'),
      rows: pages.map((page) => [t(`pages.${page}`), ['G', pageKeys[page]]]),
    },
    {
      title: t('shortcuts.anywhere'),
      rows: [
        [t('shortcuts.palette'), [printed('Ctrl+K')]],
        [t('palette.jobs'), [printed('Ctrl+J')]],
        [t('shortcuts.settings'), [printed('Ctrl+,')]],
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
        [t('shortcuts.separate'), [printed('Shift+P')]],
        [t('shortcuts.move'), ['← → ↑ ↓']],
        [t('portraits:review.open'), ['Enter']],
        [t('portraits:board.speak'), ['K']],
        [t('portraits:board.crop'), ['C']],
        [t('portraits:outline.zoom.onePixel'), ['Z']],
        [t('portraits:board.show'), [printed('Alt+1 – 6')]],
        [t('shortcuts.selectAll'), [printed('Ctrl+A')]],
        [t('shortcuts.remove'), ['Del']],
        [t('shortcuts.undo'), [printed('Ctrl+Z')]],
      ],
    },
    {
      title: t('shortcuts.library'),
      rows: [
        [t('library:search'), ['/']],
        [t('shortcuts.choose'), ['← → ↑ ↓', 'Space']],
        [t('shortcuts.selectAll'), [printed('Ctrl+A')]],
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
      title: t('pages.live'),
      rows: [
        ...liveRow(t('live:actions.speak'), 'speak'),
        ...liveRow(t('live:actions.interrupt'), 'interrupt'),
        ...liveRow(t('shortcuts.record'), 'record'),
        ...liveRow(t('live:actions.framing'), 'framing'),
        ...liveRow(t('shortcuts.expressions'), ...expressions),
        ...liveRow(t('shortcuts.talk'), 'talk'),
        ...liveRow(t('shortcuts.popOut'), 'popOut'),
      ],
    },
    {
      title: t('pages.takes'),
      rows: [
        [t('shortcuts.play'), [t('shortcuts.space')]],
        [t('shortcuts.step'), ['← →']],
        [t('shortcuts.stepSecond'), [printed('Shift+← →')]],
        [t('shortcuts.loop'), [printed('Shift+L')]],
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
