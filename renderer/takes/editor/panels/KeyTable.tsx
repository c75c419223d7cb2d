import { type Interpolation, interpolations } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { DrawnStretch } from '@likeness/proto/takes/edits/take_edits.ts';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../base/text/number-format.ts';
import { keyChanged, keyRemoved, placedKeys } from '../edits/drawn-keys.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { NumberCell, TimeCell } from './NumberCell.tsx';
import classes from './panels.module.css';

/** Rows that are shown: more is a matter of going there. */
const maxRows = 60;

/** Keys of a channel in the stretch that is seen, to type. */
export function KeyTable(props: {
  channel: string;
  stretches: readonly DrawnStretch[];
  session: EditSession;
  timeline: TimelineState;
}) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const { channel, stretches, session, timeline } = props;
  timeline.window.use();
  const { toPlayed } = timeline.map.use();
  const isSeen = (at: number): boolean => {
    const share = timeline.shareOf(at);
    return share >= 0 && share <= 1;
  };
  const all = placedKeys(stretches);
  const seen = all.filter(({ time }) => isSeen(time));
  if (all.length === 0) return <p className={classes.quiet}>{t('editor.curve.noKeys')}</p>;
  return (
    <>
      <p className={classes.quiet} aria-live="polite">
        {t('editor.curve.keysSeen', { seen: seen.length, all: all.length })}
      </p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('editor.curve.time')}</th>
            <th scope="col">{t('editor.curve.value')}</th>
            <th scope="col">{t('editor.curve.interpolation')}</th>
            <th>
              <span className={classes.unseen}>{t('editor.curve.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {seen.slice(0, maxRows).map((key) => {
            const at = seconds(toPlayed(key.time));
            return (
              <tr key={`${key.stretch.from} ${key.index} ${key.time} ${key.value}`}>
                <td>
                  <TimeCell
                    timeline={timeline}
                    label={t('editor.curve.timeOf', { at })}
                    value={key.time}
                    digits={3}
                    onSet={(time) => session.apply(keyChanged(channel, key, { time }))}
                  />
                </td>
                <td>
                  <NumberCell
                    label={t('editor.curve.valueOf', { at })}
                    value={key.value}
                    digits={3}
                    step={0.01}
                    least={-1}
                    most={1}
                    onSet={(value) => session.apply(keyChanged(channel, key, { value }))}
                  />
                </td>
                <td>
                  <NativeSelect
                    size="xs"
                    aria-label={t('editor.curve.interpolationOf', { at })}
                    value={key.to}
                    data={interpolations.map((value) => ({
                      value,
                      label: t(`editor.interpolations.${value}`),
                    }))}
                    onChange={({ currentTarget: { value } }) =>
                      session.apply(keyChanged(channel, key, { to: value as Interpolation }))
                    }
                  />
                </td>
                <td>
                  <ActionIcon
                    size={24}
                    aria-label={t('editor.curve.removeOf', { at })}
                    onClick={() => session.apply(keyRemoved(channel, key))}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
