import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { assetUrl } from '../base/asset-url.ts';
import { useFigures } from '../base/number-format.ts';
import { plainFaceStyle } from '../speaking/face-style.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { SpeechBar } from './speech/SpeechBar.tsx';
import { useHearing, useLoadedTake, useTakeWords } from './speech/take-hearing.ts';
import { WordLanes } from './speech/WordLanes.tsx';
import { TakeFields } from './TakeFields.tsx';
import classes from './Takes.module.css';
import { Transport } from './Transport.tsx';
import { useTakeActions, useTakeExport, useTrashTake } from './take-actions.ts';
import type { LoadedTake } from './take-file.ts';
import { useTakeFace, useTakePlayback } from './take-playback.ts';
import { Waveform } from './Waveform.tsx';

const plainStyle = () => plainFaceStyle;

/** One take on a head, sound and face together. */
export function TakePlayer({ take }: { take: Take }) {
  const { t } = useTranslation('takes');
  const [modelId, setModelId] = useState(take.model);
  const { data, error } = useLoadedTake(take);
  const { data: alignment } = useTakeWords(take);
  const hearing = useHearing(take.id);
  const playback = useTakePlayback(take.seconds);
  const face = useTakeFace(data, playback.audio);
  const trash = useTrashTake(take);
  const exports = useTakeExport(
    take.id,
    modelId,
    alignment?.verdict === 'aligned' && alignment.words.length > 0,
  );
  useTakeActions(playback, exports, trash);
  return (
    <section className={classes.player} aria-label={take.name}>
      <div className={classes.stage}>
        <SpeakingHead
          url={modelId ? assetUrl(modelId, 'model') : assetUrl('default', 'default-head')}
          face={face}
          style={plainStyle}
          mirror={false}
        />
      </div>
      <div className={classes.desk}>
        {error && (
          <Callout tone="bad" title={t('unreadable')}>
            {error.message}
          </Callout>
        )}
        <Remarks take={take} />
        <audio
          ref={playback.audio}
          src={assetUrl(take.id, 'take-audio')}
          preload="auto"
          loop={playback.loop}
          {...playback.listeners}
        />
        <Timeline loaded={data} seconds={take.seconds} audio={playback.audio} clock={playback.clock} />
        {alignment && alignment.words.length > 0 && (
          <WordLanes take={take} alignment={alignment} audio={playback.audio} />
        )}
        <Transport take={take} modelId={modelId} playback={playback} exports={exports} onTrash={trash} />
        <SpeechBar take={take} hearing={hearing} alignment={alignment} />
        <TakeFields take={take} modelId={modelId} onModel={setModelId} />
        <Origin take={take} />
      </div>
    </section>
  );
}

/** The waveform, and which curve over it is which. */
function Timeline(props: {
  loaded: LoadedTake | undefined;
  seconds: number;
  audio: RefObject<HTMLAudioElement | null>;
  clock: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation('takes');
  const { loaded, seconds, audio, clock } = props;
  return (
    <div className={classes.wave}>
      {loaded && <Waveform take={loaded} seconds={seconds} audio={audio} clock={clock} />}
      <div className={classes.curves}>
        <span className={classes.curve} data-curve="jaw">
          {t('curves.jaw')}
        </span>
        <span className={classes.curve} data-curve="rounding">
          {t('curves.rounding')}
        </span>
      </div>
    </div>
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
