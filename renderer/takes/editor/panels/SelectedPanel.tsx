import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TakeSpeech } from '../../speech/take-speech.ts';
import { WordFields } from '../../speech/WordFields.tsx';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import { OwnExpressions } from '../expressions/OwnExpressions.tsx';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { CurvePanel } from './CurvePanel.tsx';
import { PanelSection } from './PanelSection.tsx';
import { BlinkPanel, CutPanel, ExpressionPanel, GazePanel } from './PartPanels.tsx';
import classes from './panels.module.css';
import { SelectionFields } from './SelectionFields.tsx';

interface SelectedProps {
  session: EditSession;
  timeline: TimelineState;
  /** Null: the take is not read yet. */
  shaped: EditedPreview | null;
  speech: TakeSpeech | null;
  now: () => number;
}

/** The part that was clicked in the timeline, to type; below it the range and the chosen curve. */
export function SelectedPanel(props: SelectedProps) {
  const { t } = useTranslation('takes');
  const { timeline, shaped } = props;
  const selected = timeline.selected.use();
  return (
    <>
      {selected ? (
        <Part {...props} kind={selected.kind} index={selected.index} />
      ) : (
        <PanelSection>
          <p className={classes.quiet}>{t('editor.selected.none')}</p>
        </PanelSection>
      )}
      <PanelSection title={t('editor.selection.title')}>
        <SelectionFields timeline={timeline} />
      </PanelSection>
      {shaped && (
        <PanelSection title={t('editor.selected.curve')}>
          <CurvePanel {...props} shaped={shaped} />
        </PanelSection>
      )}
      <PanelSection>
        <OwnExpressions session={props.session} curves={shaped?.curves ?? null} now={props.now} />
      </PanelSection>
    </>
  );
}

function Part(
  props: SelectedProps & {
    kind: NonNullable<ReturnType<TimelineState['selected']['get']>>['kind'];
    index: number;
  },
): ReactNode {
  const { t } = useTranslation('takes');
  const { kind, index, session, timeline, speech } = props;
  const part = { session, timeline, index };
  switch (kind) {
    case 'word': {
      const word = speech?.words[index];
      if (!word || !speech) return null;
      return (
        <PanelSection title={t('editor.selected.word')}>
          <WordFields
            key={`${index} ${word.start} ${word.end}`}
            word={word}
            timeline={timeline}
            onTimes={(times) => speech.move(index, times)}
          />
        </PanelSection>
      );
    }
    case 'expression':
      return <ExpressionPanel {...part} />;
    case 'gaze':
      return <GazePanel {...part} />;
    case 'blink':
      return <BlinkPanel {...part} />;
    case 'cut':
      return <CutPanel {...part} />;
    case 'curve':
      return null;
  }
}
