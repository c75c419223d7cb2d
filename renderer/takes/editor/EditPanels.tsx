import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import type { TakeSpeech } from '../speech/take-speech.ts';
import type { TakePlayback } from '../take-playback.ts';
import type { EditSession } from './edits/edit-session.ts';
import type { EditedPreview } from './edits/edited-preview.ts';
import { LayerPanel } from './edits/LayerPanel.tsx';
import type { TakeEditing } from './edits/take-editing.ts';
import { OverdubPanel } from './overdub/OverdubPanel.tsx';
import type { Overdub } from './overdub/use-overdub.ts';
import { MarkerPanel } from './panels/MarkerPanel.tsx';
import { SelectedPanel } from './panels/SelectedPanel.tsx';
import { TextPanel } from './panels/TextPanel.tsx';
import { VersionPanel } from './panels/VersionPanel.tsx';

/** The panels that edit a take, for its inspector. */
export function editPanels(props: {
  take: Take;
  session: EditSession;
  editing: TakeEditing;
  shaped: EditedPreview | null;
  alignment: SpeechAlignment | null | undefined;
  speech: TakeSpeech | null;
  playback: TakePlayback;
  overdub: Overdub;
}): Record<'layers' | 'marks' | 'versions' | 'text' | 'selected' | 'overdub', ReactNode> {
  const { take, session, editing, shaped, alignment, speech, playback, overdub } = props;
  const { timeline } = editing;
  const { now } = playback;
  const goTo = (at: number): void => playback.seek(at);
  return {
    layers: <LayerPanel session={session} />,
    marks: <MarkerPanel session={session} editing={editing} goTo={goTo} />,
    versions: <VersionPanel session={session} />,
    text: shaped && (
      <TextPanel
        take={take.id}
        name={take.name}
        session={session}
        shaped={shaped}
        alignment={alignment}
        timeline={timeline}
        goTo={goTo}
      />
    ),
    selected: (
      <SelectedPanel session={session} timeline={timeline} shaped={shaped} speech={speech} now={now} />
    ),
    overdub: <OverdubPanel take={take} session={session} timeline={timeline} overdub={overdub} />,
  };
}

/** Why a take's edits can't be read or changed. */
export function EditTrouble({ session }: { session: EditSession }) {
  const { t } = useTranslation('takes');
  const problem = session.kept.use((state) => state?.problem);
  const text = problem ? worded(problem) : '';
  if (!text) return null;
  return (
    <Callout tone="bad" title={t('editor.unreadable')}>
      {text}
    </Callout>
  );
}
