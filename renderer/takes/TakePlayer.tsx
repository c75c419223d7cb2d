import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { Group } from '@mantine/core';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
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
import { useRecordedBlinks } from './editor/tracks/recorded-blinks.ts';
import { useTakeSound } from './editor/use-take-sound.ts';
import { ZoomTools } from './editor/ZoomTools.tsx';
import { ScorecardButton } from './scorecard/Scorecard.tsx';
import { useSentAlong } from './send-along.ts';
import { FlaggedWords } from './speech/FlaggedWords.tsx';
import { SpeechBar } from './speech/SpeechBar.tsx';
import { useLoadedTake, useTakeAnalysis, useTakeWords } from './speech/take-analysis.ts';
import { useTakeSpeech } from './speech/take-speech.ts';
import { WordLanes } from './speech/WordLanes.tsx';
import { TakeFields } from './TakeFields.tsx';
import classes from './Takes.module.css';
import { Transport } from './Transport.tsx';
import { useTakeActions, useTakeExport, useTrashTake } from './take-actions.ts';
import { useTakeFace, useTakePlayback } from './take-playback.ts';
import { WholeTake } from './WholeTake.tsx';

const plainStyle = () => plainFaceStyle;

/** The shown face at a time; null: the head is at rest. */
type FaceNow = () => FaceState | null;
const atRest: FaceNow = () => null;

/** Ids of the panes' elements. */
interface PaneIds {
  inspector: string;
  timeline: string;
}

interface PlayerProps {
  take: Take;
  ids: PaneIds;
  /** Where the header has room for what is done with the take as a whole. */
  headerSlot: HTMLElement | null;
  /** Opens and closes the inspector where it is a drawer; null: it is a pane. */
  onInspector: (() => void) | null;
}

/** One take on a head, sound and face together, with what is set and edited of it. The head stays from take to take. */
export function TakePlayer(props: PlayerProps) {
  const { take } = props;
  const [chosen, setChosen] = useState({ take: take.id, model: take.model });
  const modelId = chosen.take === take.id ? chosen.model : take.model;
  const onModel = useLatest((model: string) => setChosen({ take: take.id, model }));
  const shown = useRef(atRest);
  const face = useCallback(() => shown.current(), []);
  return (
    <section className={classes.player} aria-label={take.name}>
      <div data-stage className={classes.stage}>
        <SpeakingHead
          url={useHeadUrl(modelId)}
          modelId={modelId}
          face={face}
          style={plainStyle}
          mirror={false}
        />
      </div>
      <TakeWorkspace {...props} modelId={modelId} onModel={onModel} shown={shown} />
    </section>
  );
}

/**
 * Around the head: what plays of a take, is set and edited. It stays from take to take, since building it
 * takes longer than reading ten minutes of a face; what is of one take alone goes by its id.
 */
function TakeWorkspace(
  props: PlayerProps & {
    modelId: string;
    onModel: (modelId: string) => void;
    /** Given the face that the head is to have. */
    shown: RefObject<FaceNow>;
  },
) {
  const { take, ids, modelId, onModel, shown } = props;
  const { t } = useTranslation('takes');
  const { data, error } = useLoadedTake(take);
  const { data: alignment } = useTakeWords(take);
  const analysis = useTakeAnalysis(take.id);
  const timeline = useTimelineState(take);
  const session = useEditSession(take.id);
  const played = usePlayedTime(session, take);
  useLayoutEffect(
    () => timeline.setMap(played ?? timeMap([], take.seconds)),
    [timeline, played, take.seconds],
  );
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
  const recordedBlinks = useRecordedBlinks(take.id, data);
  const spectrogram = useSpectrogram(take.id);
  const sound = useTakeSound(take, timeline);
  const content = useTimelineContent(sound, shaped, session, alignment, take.seconds);
  const speech = useTakeSpeech(take, alignment, playback, timeline);
  const overdub = useOverdub(take, session, timeline, playback);
  const face = useMonitoredFace(useTakeFace(shaped?.face, playback.now), overdub.recorder);
  useEffect(() => {
    shown.current = face;
    return () => {
      shown.current = atRest;
    };
  }, [shown, face]);
  const frame = useLatest(() => {
    const at = playback.now();
    const now = face();
    // Of the moment: the player's own is changed in place.
    const kept = now && structuredClone(now);
    return { face: () => kept, at: timeline.map.get().toPlayed(at) };
  });
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
      fields: <TakeFields take={take} modelId={modelId} onModel={onModel} />,
      face: (
        <>
          <SpeechBar take={take} analysis={analysis} alignment={alignment} />
          {speech && <FlaggedWords words={speech.words} onChoose={speech.play} />}
          <Group gap="xs">
            <ScorecardButton take={take} modelId={modelId} />
            {take.fullPass === 'done' && <CompareFacesButton id={take.id} />}
          </Group>
        </>
      ),
      about: (
        <>
          <Remarks take={take} />
          <Origin take={take} />
        </>
      ),
      ...editPanels({ take, session, editing, shaped: whole, alignment, speech, playback, overdub }),
    }),
    [take, modelId, onModel, analysis, alignment, speech, session, editing, whole, playback, overdub],
  );
  return (
    <>
      {props.headerSlot &&
        createPortal(
          <WholeTake
            take={take}
            modelId={modelId}
            seconds={played?.seconds ?? take.seconds}
            frame={frame}
            onTrash={trash}
            onInspector={props.onInspector}
          />,
          props.headerSlot,
        )}
      <div id={ids.inspector} className={classes.inspectorPane}>
        <Inspector of={take.id} panels={panels}>
          {error && (
            <Callout tone="bad" title={t('unreadable')}>
              {error.message}
            </Callout>
          )}
          <EditTrouble session={session} />
        </Inspector>
      </div>
      <div id={ids.timeline} className={classes.timelinePane}>
        <audio
          key={take.id}
          ref={playback.audio}
          src={played ? played.sound : assetUrl(take.id, 'take-audio')}
          // Some megabytes that nobody hears yet: the face, which is seen at once, comes before them.
          preload={data?.isWhole || error ? 'auto' : 'metadata'}
          loop={playback.loop}
          {...playback.listeners}
        />
        <Transport playback={playback} seconds={played?.seconds ?? take.seconds}>
          <EditTools editing={editing} />
          <ZoomTools state={timeline} now={playback.now} />
        </Transport>
        <Timeline
          state={timeline}
          content={content}
          playback={playback}
          session={session}
          spectrogram={spectrogram}
          recordedBlinks={recordedBlinks}
        >
          {speech && <WordLanes key={take.id} speech={speech} timeline={timeline} />}
        </Timeline>
      </div>
    </>
  );
}

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
