import { Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { assetUrl } from '../base/asset-url.ts';
import { useFigures } from '../base/number-format.ts';
import { plainFaceStyle } from '../speaking/face-style.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { CompareFacesButton } from './compare/CompareFacesButton.tsx';
import { EditTrouble, editPanels } from './editor/EditPanels.tsx';
import { EditTools } from './editor/edits/EditTools.tsx';
import { useEditSession } from './editor/edits/edit-session.ts';
import { useTakeEditing } from './editor/edits/take-editing.ts';
import { useEditContext, usePlayedTime } from './editor/edits/take-time.ts';
import { useShapedTake } from './editor/edits/use-shaped-take.ts';
import { Inspector } from './editor/Inspector.tsx';
import { Timeline } from './editor/timeline/Timeline.tsx';
import { useTimelineActions } from './editor/timeline/timeline-actions.ts';
import { useTimelineContent } from './editor/timeline/timeline-content.ts';
import { useTimelineState } from './editor/use-timeline-state.ts';
import { ScorecardButton } from './scorecard/Scorecard.tsx';
import { SpeechBar } from './speech/SpeechBar.tsx';
import { useHearing, useLoadedTake, useTakeWords } from './speech/take-hearing.ts';
import { WordLanes } from './speech/WordLanes.tsx';
import { TakeFields } from './TakeFields.tsx';
import classes from './Takes.module.css';
import { Transport } from './Transport.tsx';
import { useTakeActions, useTakeExport, useTrashTake } from './take-actions.ts';
import { useTakeFace, useTakePlayback } from './take-playback.ts';

const plainStyle = () => plainFaceStyle;

/** One take on a head, sound and face together, with what is set and edited of it. */
export function TakePlayer({ take }: { take: Take }) {
  const { t } = useTranslation('takes');
  const [modelId, setModelId] = useState(take.model);
  const { data, error } = useLoadedTake(take);
  const { data: alignment } = useTakeWords(take);
  const hearing = useHearing(take.id);
  const timeline = useTimelineState(take.seconds, take.frameRate);
  const session = useEditSession(take.id);
  const played = usePlayedTime(session, take);
  const playback = useTakePlayback(timeline, played);
  const context = useEditContext(take, session);
  const shaped = useShapedTake(data?.face, session, context, playback.now, timeline);
  const content = useTimelineContent(data, shaped, session, alignment, take.seconds);
  const face = useTakeFace(shaped?.face, playback.now);
  const trash = useTrashTake(take);
  const exports = useTakeExport(
    take.id,
    modelId,
    alignment?.verdict === 'aligned' && alignment.words.length > 0,
  );
  useTakeActions(playback, exports, trash);
  useTimelineActions(timeline, playback);
  // Last: its keys come before those of the take as a whole.
  const editing = useTakeEditing(take.id, session, timeline, playback.now);
  return (
    <section className={classes.player} aria-label={take.name}>
      <div className={classes.stage}>
        <SpeakingHead
          url={modelId ? assetUrl(modelId, 'model') : assetUrl('default', 'default-head')}
          modelId={modelId}
          face={face}
          style={plainStyle}
          mirror={false}
        />
      </div>
      <Inspector
        panels={{
          take: (
            <>
              <SpeechBar take={take} hearing={hearing} alignment={alignment} />
              <TakeFields take={take} modelId={modelId} onModel={setModelId} />
              <Origin take={take} />
              <Group gap="xs">
                <ScorecardButton take={take} modelId={modelId} />
                {take.secondHearing === 'done' && <CompareFacesButton id={take.id} />}
              </Group>
            </>
          ),
          ...editPanels({ take, session, editing, shaped, alignment, playback }),
        }}
      />
      <div className={classes.desk}>
        {error && (
          <Callout tone="bad" title={t('unreadable')}>
            {error.message}
          </Callout>
        )}
        <Remarks take={take} />
        <EditTrouble session={session} />
        <audio
          ref={playback.audio}
          src={played ? played.sound : assetUrl(take.id, 'take-audio')}
          preload="auto"
          loop={playback.loop}
          {...playback.listeners}
        />
        <Transport take={take} modelId={modelId} playback={playback} exports={exports} onTrash={trash}>
          <EditTools session={session} editing={editing} />
        </Transport>
        {content && (
          <Timeline state={timeline} content={content} playback={playback} session={session}>
            {alignment && alignment.words.length > 0 && (
              <WordLanes take={take} alignment={alignment} playback={playback} timeline={timeline} />
            )}
          </Timeline>
        )}
      </div>
    </section>
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
        ...(take.latency ? [t('latency', { p95: figures.milliseconds(take.latency.p95) })] : []),
      ].join(' · ')}
    </p>
  );
}

/** What happened while it was recorded, in one box: the head is what the room is for. */
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
