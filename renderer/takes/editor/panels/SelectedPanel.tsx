import { useTranslation } from 'react-i18next';
import type { TakeSpeech } from '../../speech/take-speech.ts';
import { WordFields } from '../../speech/WordFields.tsx';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { ActingPanel } from './ActingPanel.tsx';
import { CurvePanel } from './CurvePanel.tsx';
import { PanelSection } from './PanelSection.tsx';
import { SelectionFields } from './SelectionFields.tsx';

/** What was clicked in the timeline, to type; below it all that the timeline edits. */
export function SelectedPanel(props: {
  session: EditSession;
  timeline: TimelineState;
  /** Null: the take is not read yet. */
  shaped: EditedPreview | null;
  speech: TakeSpeech | null;
  now: () => number;
}) {
  const { t } = useTranslation('takes');
  const { timeline, shaped, speech } = props;
  const index = timeline.word.use();
  const word = speech?.words[Math.min(index, speech.words.length - 1)];
  return (
    <>
      {word && speech && (
        <PanelSection title={t('editor.selected.word')}>
          <WordFields
            key={`${index} ${word.start} ${word.end}`}
            word={word}
            onTimes={(times) => speech.move(index, times)}
          />
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
        <ActingPanel {...props} />
      </PanelSection>
    </>
  );
}
