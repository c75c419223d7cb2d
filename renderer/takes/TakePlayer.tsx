import type { FaceState } from '@likeness/proto/live/face_state.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { Group } from '@mantine/core';
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnalysisProgress, Take } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { assetUrl } from '../base/asset-url.ts';
import { useLatest } from '../base/latest.ts';
import { useFigures } from '../base/text/number-format.ts';
import { plainFaceStyle } from '../speaking/face-style.ts';
import { useHeadUrl } from '../speaking/head-url.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { CompareFacesButton } from './compare/CompareFacesButton.tsx';
import { EditTrouble, editPanels } from './editor/EditPanels.tsx';
import { EditTools } from './editor/edits/EditTools.tsx';
import { useEditSession } from './editor/edits/edit-session.ts';
import { useTakeEditing } from './editor/edits/take-editing.ts';
import { useEditContext, usePlayedTime } from './editor/edits/take-time.ts';
import { useEditedPreview } from './editor/edits/use-edited-preview.ts';
import { Inspector } from './editor/Inspector.tsx';
import { useMonitoredFace } from './editor/overdub/monitored-face.ts';
import { useOverdub } from './editor/overdub/use-overdub.ts';
import { useSpectrogram } from './editor/spectrogram/spectrogram.ts';
import { Timeline } from './editor/timeline/Timeline.tsx';
import { useTimelineActions } from './editor/timeline/timeline-actions.ts';
import { useTimelineContent } from './editor/timeline/timeline-content.ts';
import { type TimelineState, timelineState } from './editor/timeline/timeline-state.ts';
import { useTakeSound } from './editor/use-take-sound.ts';
import { ScorecardButton } from './scorecard/Scorecard.tsx';
import { useSentAlong } from './send-along.ts';
import { SpeechBar } from './speech/SpeechBar.tsx';
import { useLoadedTake, useTakeAnalysis, useTakeWords } from './speech/take-analysis.ts';
import { WordLanes } from './speech/WordLanes.tsx';
import { TakeFields } from './TakeFields.tsx';
import classes from './Takes.module.css';
import { Transport } from './Transport.tsx';
import { useTakeActions, useTakeExport, useTrashTake } from './take-actions.ts';
import { useTakeFace, useTakePlayback } from './take-playback.ts';

const plainStyle = () => plainFaceStyle;

/** The shown face at a time; null: the head is at rest. */
type FaceNow = () => FaceState | null;
const atRest: FaceNow = () => null;

/** One take on a head, sound and face together, with what is set and edited of it. The head stays from take to take. */
export function TakePlayer({ take }: { take: Take }) {
  const [chosen, setChosen] = useState({ take: take.id, model: take.model });
  const modelId = chosen.take === take.id ? chosen.model : take.model;
  const onModel = useLatest((model: string) => setChosen({ take: take.id, model }));
  const shown = useRef(atRest);
  const face = useCallback(() => shown.current(), []);
  return (
    <section className={classes.player} aria-label={take.name}>
      <div className={classes.stage}>
        <SpeakingHead
          url={useHeadUrl(modelId)}
          modelId={modelId}
          face={face}
          style={plainStyle}
          mirror={false}
        />
      </div>
      <TakeWorkspace take={take} modelId={modelId} onModel={onModel} shown={shown} />
    </section>
  );
}

/**
 * Beside and under the head: what plays of a take, is set and edited. It stays from take to take, since building it
 * takes longer than reading ten minutes of a face; what is of one take alone goes by its id.
 */
function TakeWorkspace(props: {
  take: Take;
  modelId: string;
  onModel: (modelId: string) => void;
  /** Given the face that the head is to have. */
  shown: RefObject<FaceNow>;
}) {
  const { take, modelId, onModel, shown } = props;
  const { t } = useTranslation('takes');
  const { data, error } = useLoadedTake(take);
  const { data: alignment } = useTakeWords(take);
  const analysis = useTakeAnalysis(take.id);
  const timeline = useTimelineState(take);
  const session = useEditSession(take.id);
  const played = usePlayedTime(session, take);
  const playback = useTakePlayback(take.id, timeline, played);
  useSentAlong(
    take,
    playback,
    session.kept.use((state) => state?.revision ?? 0),
  );
  const context = useEditContext(take, session);
  const shaped = useEditedPreview(data, session, context, playback.now, timeline);
  // What is read of a face as a whole waits for all of it.
  const whole = data?.isWhole ? shaped : null;
  const spectrogram = useSpectrogram(take.id);
  const sound = useTakeSound(take, timeline);
  const content = useTimelineContent(sound, shaped, session, alignment, take.seconds);
  const overdub = useOverdub(take, session, timeline, playback);
  const face = useMonitoredFace(useTakeFace(shaped?.face, playback.now), overdub.recorder);
  useEffect(() => {
    shown.current = face;
    return () => {
      shown.current = atRest;
    };
  }, [shown, face]);
  const trash = useTrashTake(take);
  const exports = useTakeExport(
    take.id,
    modelId,
    alignment?.verdict === 'aligned' && alignment.words.length > 0,
  );
  useTakeActions(playback, exports, trash);
  useTimelineActions(timeline, playback);
  // Last: its keys come before those of the take as a whole.
  const editing = useTakeEditing(take.id, session, timeline, playback, whole);
  const panels = useMemo(
    () => ({
      take: (
        <TakePanel
          take={take}
          modelId={modelId}
          onModel={onModel}
          analysis={analysis}
          alignment={alignment}
        />
      ),
      ...editPanels({ take, session, editing, shaped: whole, alignment, playback, overdub }),
    }),
    [take, modelId, onModel, analysis, alignment, session, editing, whole, playback, overdub],
  );
  return (
    <>
      <Inspector of={take.id} panels={panels} />
      <div className={classes.desk}>
        {error && (
          <Callout tone="bad" title={t('unreadable')}>
            {error.message}
          </Callout>
        )}
        <Remarks take={take} />
        <EditTrouble session={session} />
        <audio
          key={take.id}
          ref={playback.audio}
          src={played ? played.sound : assetUrl(take.id, 'take-audio')}
          // Some megabytes that nobody hears yet: the face, which is seen at once, comes before them.
          preload={data?.isWhole || error ? 'auto' : 'metadata'}
          loop={playback.loop}
          {...playback.listeners}
        />
        <Transport
          take={take}
          modelId={modelId}
          playback={playback}
          seconds={played?.seconds ?? take.seconds}
          exports={exports}
          onTrash={trash}
        >
          <EditTools session={session} editing={editing} />
        </Transport>
        <Timeline
          state={timeline}
          content={content}
          playback={playback}
          session={session}
          spectrogram={spectrogram}
        >
          {alignment && alignment.words.length > 0 && (
            <WordLanes
              key={take.id}
              take={take}
              alignment={alignment}
              playback={playback}
              timeline={timeline}
            />
          )}
        </Timeline>
      </div>
    </>
  );
}

/** Settings of the whole take. */
const TakePanel = memo(function TakePanel(props: {
  take: Take;
  modelId: string;
  onModel: (modelId: string) => void;
  analysis: AnalysisProgress | null;
  alignment: SpeechAlignment | null | undefined;
}) {
  const { take, modelId, onModel, analysis, alignment } = props;
  return (
    <>
      <SpeechBar take={take} analysis={analysis} alignment={alignment} />
      <TakeFields take={take} modelId={modelId} onModel={onModel} />
      <Origin take={take} />
      <Group gap="xs">
        <ScorecardButton take={take} modelId={modelId} />
        {take.secondHearing === 'done' && <CompareFacesButton id={take.id} />}
      </Group>
    </>
  );
});

/** When it was recorded, through which connection, and how late the faces came. */
function Origin({ take }: { take: Take }) {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  return (
    <p className={classes.quiet}>
      {[
        figures.dateTime(take.createdAt),
        take.profileId === builtInProfileId ? t('app:builtIn') : take.profileName,
        take.tiers.includes('server') ? t('tiers.server') : t('tiers.local'),
        ...(take.tiers.includes('tracker')
          ? [take.tracker === '' ? t('trackedUnnamed') : t('tracked', { name: take.tracker })]
          : []),
        ...(take.latency ? [t('latency', { p95: figures.milliseconds(take.latency.p95) })] : []),
      ].join(' · ')}
    </p>
  );
}

/** Events during the recording, in one box, since the head needs the room. */
function Remarks({ take: { recovered, missingSeconds, addedSeconds } }: { take: Take }) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const remarks = [
    ...(recovered ? [t('recovered')] : []),
    ...(missingSeconds > 0 ? [t('missing', { seconds: seconds(missingSeconds) })] : []),
    ...(addedSeconds > 0 ? [t('added', { seconds: seconds(addedSeconds) })] : []),
  ];
  if (remarks.length === 0) return null;
  return <Callout tone={recovered || missingSeconds > 0 ? 'warn' : 'info'}>{remarks.join(' ')}</Callout>;
}

function useTimelineState({ id, seconds, frameRate }: Take): TimelineState {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another take of the same length is looked at anew
  return useMemo(() => timelineState(seconds, frameRate), [id, seconds, frameRate]);
}
