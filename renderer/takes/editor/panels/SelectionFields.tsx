import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { TimeCell } from './NumberCell.tsx';
import classes from './panels.module.css';

/** The in and the out point, to type: what a drag over the sound, I and O do. */
export const SelectionFields = memo(function SelectionFields({ timeline }: { timeline: TimelineState }) {
  const { t } = useTranslation('takes');
  const { from, to } = timeline.selection.use() ?? { from: 0, to: timeline.seconds };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two fields, no form
    <div role="group" aria-label={t('editor.selection.title')} className={classes.selection}>
      <TimeCell
        timeline={timeline}
        label={t('editor.selection.from')}
        value={from}
        digits={3}
        onSet={(at) => timeline.setEdge('from', at)}
      />
      <span aria-hidden>–</span>
      <TimeCell
        timeline={timeline}
        label={t('editor.selection.to')}
        value={to}
        digits={3}
        onSet={(at) => timeline.setEdge('to', at)}
      />
    </div>
  );
});
