import { Button, FileButton, SegmentedControl } from '@mantine/core';
import { IconFile, IconMicrophone, IconPlayerStopFilled, IconRefresh } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, notify } from '../base/notices.tsx';
import { go, useRoute } from '../base/route.ts';
import { sampleVoice } from '../base/samples/samples.ts';
import { worded } from '../base/text/sentence-text.ts';
import { SendButton } from '../send/SendButton.tsx';
import { useViewersHead } from '../send/send-state.ts';
import { useTracker } from '../send/tracked-face.ts';
import { framings } from '../speaking/framing.ts';
import { useHeadUrl } from '../speaking/head-url.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import classes from './Live.module.css';
import { muted, talking, useLiveAction } from './live-keys.ts';
import { useLiveProfileId } from './live-profile.ts';
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
import { closeSound, openFile, openMicrophone, setMonitor, soundNow, useSound } from './sound-source.ts';
import { StageControls } from './stage/StageControls.tsx';

const views = ['input', 'face', 'keys', 'latency', 'channels'] as const;

/** Milliseconds that a file's last faces have, beyond the time by which faces are later than sounds. */
const lastFaces = 800;

/** Frames a second over the last drawn ones. @param onFirst - Told when there is something to see. */
function createRate(onFirst: () => void): {
  drawn: (milliseconds: number | null) => void;
  rate: () => number;
} {
  const times: number[] = [];
  let isFirst = true;
  return {
    drawn: (milliseconds) => {
      if (isFirst) onFirst();
      isFirst = false;
      if (milliseconds === null) return;
      times.push(milliseconds);
      if (times.length > 120) times.shift();
    },
    rate: () => (times.length === 0 ? 0 : (1000 * times.length) / times.reduce((sum, time) => sum + time, 0)),
  };
}

/**
 * Begins sessions, from the microphone or a file, and ends that of a file when its last face was shown.
 * @returns What begins one.
 */
function useBegin(profileId: string): (from: 'microphone' | File) => void {
  const { t } = useTranslation('live');
  const [fileIsOver, setFileIsOver] = useState(false);
  useEffect(() => {
    if (!fileIsOver) return;
    const timer = setTimeout(endLive, lastFaces + faceDelay());
    return () => clearTimeout(timer);
  }, [fileIsOver]);
  return useCallback(
    (from) => {
      attempt(async () => {
        setFileIsOver(false);
        const { lookahead, suppressNoise } = liveSettings();
        const opening =
          from === 'microphone'
            ? openMicrophone(liveSettings())
            : openFile(from, () => {
                notify({ level: 'info', title: t('file.overTitle'), text: from.name });
                stopRecording();
                setFileIsOver(true);
              });
        await Promise.all([opening, startSession({ profileId, frameRate: 60, lookahead, suppressNoise })]);
      });
    },
    [profileId, t],
  );
}

/** Begins what the address asks for: `live/listen`, or `live/sample` once there is a head to see. */
function useAddressedBegin(begin: (from: 'microphone' | File) => void, drawn: boolean): void {
  const { t } = useTranslation('live');
  const { rest } = useRoute();
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
    attempt(async () => begin(await sampleVoice(t('file.sample'))));
  }, [sample, drawn, begin, t]);
}

/** Keeps session and monitor to the sound that there is. */
function useSoundFollowed(): void {
  const sound = useSound();
  const session = useSession();
  const { monitor } = useLiveSettings();
  const isMuted = muted.use();
  useEffect(() => {
    // Without a sound there is nothing to speak with; a microphone that was unplugged comes back by itself.
    if (sound.kind === 'failed' && sound.failure !== 'lost') stopSession();
  }, [sound]);
  useEffect(() => {
    // Nobody listens any more: the microphone must not go on.
    if (session.kind === 'failed' && ['open', 'opening'].includes(soundNow().kind)) closeSound();
  }, [session]);
  useEffect(() => {
    const level = sound.kind === 'open' && sound.from === 'file' ? Math.max(monitor, 0.8) : monitor;
    setMonitor({ level: isMuted ? 0 : level });
  }, [monitor, sound, isMuted]);
}

/** True for some seconds after the page is seen again: while it was hidden, the browser drew nothing. */
function useWasHidden(): boolean {
  const [wasHidden, setWasHidden] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = (): void => {
      if (document.hidden) return;
      setWasHidden(true);
      timer = setTimeout(() => setWasHidden(false), 6000);
    };
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return wasHidden;
}

export function Live() {
  const { t } = useTranslation('app');
  const session = useSession();
  const settings = useLiveSettings();
  const [drawn, setDrawn] = useState(false);
  const [rate] = useState(() => createRate(() => setDrawn(true)));
  const profileId = useLiveProfileId();
  const begin = useBegin(profileId);
  const running = session.kind === 'open' || session.kind === 'opening';

  useAddressedBegin(begin, drawn);
  useEffect(showLive, []);
  useSoundFollowed();
  useEffect(() => attempt(servePopOut), []);
  useLiveAction('speak', () => (running ? endLive() : begin('microphone')));
  useLiveAction('framing', () => {
    const next = framings[(framings.indexOf(settings.framing) + 1) % framings.length]!;
    changeLive({ framing: next });
  });
  useEffect(adoptLastViewedHead, []);
  useTracker();
  useViewersHead(settings.modelId);

  return (
    <>
      <PageHeader title={t('pages.live')}>
        <SendButton />
        <PopOutButton />
        {running ? <SpeakingButtons /> : <BeginButtons onBegin={begin} />}
      </PageHeader>
      <div className={classes.columns}>
        <Stage running={running} onDrawn={rate.drawn} />
        <SidePanel profileId={profileId} begin={begin} rate={rate.rate} />
      </div>
    </>
  );
}

function SpeakingButtons() {
  const { t } = useTranslation('live');
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={15} />}
        rightSection={<KeyHint action="interrupt" />}
        onClick={interruptSession}
      >
        {t('actions.interrupt')}
      </Button>
      <RecordButton />
      <Button
        variant="default"
        leftSection={<IconPlayerStopFilled size={14} />}
        rightSection={<KeyHint action="speak" />}
        onClick={endLive}
      >
        {t('close')}
      </Button>
    </>
  );
}

function BeginButtons({ onBegin }: { onBegin: (from: 'microphone' | File) => void }) {
  const { t } = useTranslation('live');
  return (
    <>
      <FileButton accept="audio/*,.wav,.mp3,.flac,.ogg,.m4a" onChange={(file) => file && onBegin(file)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
            {t('file.open')}
          </Button>
        )}
      </FileButton>
      <Button
        leftSection={<IconMicrophone size={16} />}
        rightSection={<KeyHint action="speak" />}
        onClick={() => onBegin('microphone')}
      >
        {t('open')}
      </Button>
    </>
  );
}

/** The head with its overlay. */
function Stage({ running, onDrawn }: { running: boolean; onDrawn: (milliseconds: number | null) => void }) {
  const { t } = useTranslation('live');
  const settings = useLiveSettings();
  const pushed = talking.use();
  const wasHidden = useWasHidden();
  return (
    <section className={classes.stage} aria-label={t('head')}>
      <SpeakingHead
        url={useHeadUrl(settings.modelId)}
        modelId={settings.modelId}
        face={drawFace}
        style={() => liveSettings().style}
        mirror={settings.mirror}
        framing={settings.framing}
        {...(settings.followPointer ? { onPoint: pointerGaze.set } : {})}
        {...backgroundOf(settings)}
        onDrawn={onDrawn}
      />
      <StageOverlay running={running} wasHidden={wasHidden} pushed={pushed} />
      <StageControls />
    </section>
  );
}

/** Settings and meters beside the head, under what went wrong. */
function SidePanel(props: {
  profileId: string;
  begin: (from: 'microphone' | File) => void;
  /** Frames a second. */
  rate: () => number;
}) {
  const { t } = useTranslation('live');
  const { begin } = props;
  const session = useSession();
  const [view, setView] = useState<(typeof views)[number]>('input');
  return (
    <aside className={classes.panel} aria-label={t('settings')}>
      <div className={classes.tabs}>
        <SegmentedControl
          classNames={{ label: classes.tab! }}
          fullWidth
          aria-label={t('settings')}
          value={view}
          data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={setView}
        />
      </div>
      {session.kind === 'failed' && (
        <Callout
          tone="bad"
          title={worded(session.message)}
          action={
            <Button variant="default" onClick={() => begin('microphone')}>
              {t('again')}
            </Button>
          }
        >
          {worded(session.hint)}
        </Callout>
      )}
      <SoundTrouble begin={begin} />
      <Trouble />
      {view === 'input' && <InputPanel onReopen={begin} profileId={props.profileId} />}
      {view === 'face' && <FacePanel />}
      {view === 'keys' && <KeysPanel />}
      {view === 'latency' && <LatencyPanel drawn={props.rate} />}
      {view === 'channels' && <ChannelBars face={shownFace} />}
    </aside>
  );
}

/** Says why there is no sound, above whichever panel is open. */
function SoundTrouble({ begin }: { begin: (from: 'microphone') => void }) {
  const { t } = useTranslation('live');
  const sound = useSound();
  if (sound.kind !== 'failed') return null;
  return (
    <Callout
      tone="bad"
      title={t(`failures.${sound.failure}.title`)}
      action={
        // A file is not tried again by opening the microphone.
        sound.failure !== 'undecodable' && (
          <Button variant="default" onClick={() => begin('microphone')}>
            {t('again')}
          </Button>
        )
      }
    >
      {sound.failure === 'unsupported'
        ? t('failures.unsupported.text', { reason: sound.reason })
        : t(`failures.${sound.failure}.text`)}
    </Callout>
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
