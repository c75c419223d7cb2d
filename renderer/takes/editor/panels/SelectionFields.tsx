import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { NumberCell } from './NumberCell.tsx';
import classes from './panels.module.css';

/** The in and the out point, to type: what a drag over the sound, I and O do. */
export const SelectionFields = memo(function SelectionFields({ timeline }: { timeline: TimelineState }) {
  const { t } = useTranslation('takes');
  const { seconds, frameRate } = timeline;
  const { from, to } = timeline.selection.use() ?? { from: 0, to: seconds };
  const common = { digits: 3, step: 1 / frameRate, least: 0, most: seconds };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two fields, no form
    <div role="group" aria-label={t('editor.selection.title')} className={classes.selection}>
      <NumberCell
        label={t('editor.selection.from')}
        value={from}
        {...common}
        onSet={(at) => timeline.setEdge('from', at)}
      />
      <span aria-hidden>–</span>
      <NumberCell
        label={t('editor.selection.to')}
        value={to}
        {...common}
        onSet={(at) => timeline.setEdge('to', at)}
      />
    </div>
  );
});
