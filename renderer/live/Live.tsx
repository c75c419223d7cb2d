import { Button, FileButton, SegmentedControl } from '@mantine/core';
import { IconFile, IconMicrophone, IconPlayerStopFilled, IconRefresh } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assetUrl } from '../base/asset-url.ts';
import { attempt, tell } from '../base/notices.tsx';
import { go, useRoute } from '../base/route.ts';
import { sampleVoice } from '../base/samples/samples.ts';
import { worded } from '../base/sentence-text.ts';
import { useProfiles } from '../base/studio-queries.ts';
import { framings } from '../speaking/framing.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import classes from './Live.module.css';
import { talking, useLiveAction } from './live-keys.ts';
import { endLive, showLive } from './live-run.ts';
import {
  faceDelay,
  interruptSession,
  startSession,
  stopRecording,
  stopSession,
  useReport,
  useSession,
} from './live-session.ts';
import {
  adoptLastViewedHead,
  backgroundOf,
  changeLive,
  liveSettings,
  useLiveSettings,
} from './live-settings.ts';
import { PopOutButton } from './PopOutButton.tsx';
import { ChannelBars } from './panels/ChannelBars.tsx';
import { FacePanel } from './panels/FacePanel.tsx';
import { InputPanel } from './panels/InputPanel.tsx';
import { KeyHint } from './panels/KeyHint.tsx';
import { KeysPanel } from './panels/KeysPanel.tsx';
import { LatencyPanel } from './panels/LatencyPanel.tsx';
import { servePopOut } from './pop-out.ts';
import { RecordButton } from './RecordButton.tsx';
import { StageOverlay } from './StageOverlay.tsx';
import { drawFace, pointerGaze, shownFace } from './shown-face.ts';
import { openFile, openMicrophone, setMonitor, useSound } from './sound-source.ts';

const views = ['input', 'face', 'keys', 'latency', 'channels'] as const;

/** Milliseconds that a file's last faces have, beyond the time by which faces are later than sounds. */
const lastFaces = 800;

/** Frames a second over the last drawn ones. @param onFirst - Told when there is something to see. */
function createRate(onFirst: () => void): { drawn: (milliseconds: number) => void; rate: () => number } {
  const times: number[] = [];
  return {
    drawn: (milliseconds) => {
      if (times.length === 0) onFirst();
      times.push(milliseconds);
      if (times.length > 120) times.shift();
    },
    rate: () => (times.length === 0 ? 0 : (1000 * times.length) / times.reduce((sum, time) => sum + time, 0)),
  };
}

export function Live() {
  const { t } = useTranslation(['live', 'app']);
  const { rest } = useRoute();
  const sound = useSound();
  const session = useSession();
  const settings = useLiveSettings();
  const profiles = useProfiles();
  const [view, setView] = useState<(typeof views)[number]>('input');
  const [drawn, setDrawn] = useState(false);
  const [rate] = useState(() => createRate(() => setDrawn(true)));
  const [wasHidden, setWasHidden] = useState(false);
  const pushed = talking.use();
  const [fileIsOver, setFileIsOver] = useState(false);
  const profileId =
    profiles.data?.find(({ id }) => id === settings.profileId)?.id ??
    profiles.data?.find(({ isDefault }) => isDefault)?.id ??
    'built-in';
  const running = session.kind === 'open' || session.kind === 'opening';

  const begin = useCallback(
    (from: 'microphone' | File) => {
      attempt(async () => {
        setFileIsOver(false);
        const { lookahead } = liveSettings();
        const opening =
          from === 'microphone'
            ? openMicrophone(liveSettings())
            : openFile(from, () => {
                tell({ level: 'info', title: t('live:file.overTitle'), text: from.name });
                stopRecording();
                setFileIsOver(true);
              });
        await Promise.all([opening, startSession({ profileId, frameRate: 60, lookahead })]);
      });
    },
    [profileId, t],
  );
  const listen = rest[0] === 'listen';
  useEffect(() => {
    if (!listen) return;
    begin('microphone');
    go('live');
  }, [listen, begin]);
  const sample = rest[0] === 'sample';
  useEffect(() => {
    // Who wants to see the head speak has no use for a voice that comes before it.
    if (!sample || !drawn) return;
    go('live'); // the click that led here still counts as the person's
    attempt(async () => begin(await sampleVoice(t('live:file.sample'))));
  }, [sample, drawn, begin, t]);
  useEffect(showLive, []);
  useEffect(() => {
    // Without a sound there is nothing to speak with; a microphone that was unplugged comes back by itself.
    if (sound.kind === 'failed' && sound.failure !== 'lost') stopSession();
  }, [sound]);
  useEffect(() => {
    if (!fileIsOver) return;
    const timer = setTimeout(endLive, lastFaces + faceDelay());
    return () => clearTimeout(timer);
  }, [fileIsOver]);
  useEffect(() => attempt(servePopOut), []);
  useEffect(() => {
    setMonitor({
      level:
        sound.kind === 'open' && sound.from === 'file' ? Math.max(settings.monitor, 0.8) : settings.monitor,
    });
  }, [settings.monitor, sound]);
  useLiveAction('speak', () => (running ? endLive() : begin('microphone')));
  useLiveAction('framing', () => {
    const next = framings[(framings.indexOf(settings.framing) + 1) % framings.length]!;
    changeLive({ framing: next });
  });
  useEffect(adoptLastViewedHead, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      if (document.hidden) return;
      setWasHidden(true);
      timer = setTimeout(() => setWasHidden(false), 6000);
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);

  const modelUrl = settings.modelId
    ? assetUrl(settings.modelId, 'model')
    : assetUrl('default', 'default-head');
  return (
    <>
      <PlaceHeader title={t('app:places.live')}>
        <PopOutButton />
        {running ? (
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={15} />}
              rightSection={<KeyHint action="interrupt" />}
              onClick={interruptSession}
            >
              {t('live:actions.interrupt')}
            </Button>
            <RecordButton />
            <Button
              variant="default"
              leftSection={<IconPlayerStopFilled size={14} />}
              rightSection={<KeyHint action="speak" />}
              onClick={endLive}
            >
              {t('live:close')}
            </Button>
          </>
        ) : (
          <>
            <FileButton accept="audio/*,.wav,.mp3,.flac,.ogg,.m4a" onChange={(file) => file && begin(file)}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
                  {t('live:file.open')}
                </Button>
              )}
            </FileButton>
            <Button
              leftSection={<IconMicrophone size={16} />}
              rightSection={<KeyHint action="speak" />}
              onClick={() => begin('microphone')}
            >
              {t('live:open')}
            </Button>
          </>
        )}
      </PlaceHeader>
      <div className={classes.columns}>
        <section className={classes.stage} aria-label={t('live:head')}>
          <SpeakingHead
            url={modelUrl}
            face={drawFace}
            style={() => liveSettings().style}
            mirror={settings.mirror}
            framing={settings.framing}
            {...(settings.followPointer ? { onPoint: pointerGaze.set } : {})}
            {...backgroundOf(settings)}
            onDrawn={rate.drawn}
          />
          <StageOverlay running={running} wasHidden={wasHidden} pushed={pushed} />
        </section>
        <aside className={classes.panel} aria-label={t('live:settings')}>
          <div className={classes.tabs}>
            <SegmentedControl
              classNames={{ label: classes.tab! }}
              fullWidth
              aria-label={t('live:settings')}
              value={view}
              data={views.map((value) => ({ value, label: t(`live:views.${value}`) }))}
              onChange={setView}
            />
          </div>
          {session.kind === 'failed' && (
            <Callout
              tone="bad"
              title={worded(session.message)}
              action={
                <Button variant="default" onClick={() => begin('microphone')}>
                  {t('live:again')}
                </Button>
              }
            >
              {worded(session.hint)}
            </Callout>
          )}
          <Trouble />
          {view === 'input' && <InputPanel onReopen={begin} profileId={profileId} />}
          {view === 'face' && <FacePanel />}
          {view === 'keys' && <KeysPanel />}
          {view === 'latency' && <LatencyPanel drawn={rate.rate} />}
          {view === 'channels' && <ChannelBars face={shownFace} />}
        </aside>
      </div>
    </>
  );
}

function Trouble() {
  const trouble = useReport((report) => worded(report.trouble));
  const hint = useReport((report) => worded(report.hint));
  const server = useReport((report) => report.server);
  if (!trouble) return null;
  return (
    <Callout tone={server === 'none' ? 'bad' : 'warn'} title={trouble}>
      {hint}
    </Callout>
  );
}
