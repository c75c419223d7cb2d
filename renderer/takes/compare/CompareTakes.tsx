import { faceDifference } from '@likeness/proto/takes/face_difference.ts';
import { ActionIcon, Button, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { useActions } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { useTake } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { plainFaceStyle } from '../../speaking/face-style.ts';
import { useHeadUrl } from '../../speaking/head-url.ts';
import { SpeakingHead } from '../../speaking/SpeakingHead.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { takesSpace } from '../../ui/key-takers.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Strip } from '../Strip.tsx';
import { useTakeFace } from '../take-playback.ts';
import classes from './CompareTakes.module.css';
import type { ComparedFace, NamedFace } from './compare-route.ts';
import { type ComparedSide, useSide } from './compared-side.ts';
import { Difference } from './Difference.tsx';

const plainStyle = () => plainFaceStyle;

/** Shows two takes, or two faces of one take, side by side: they play together, with a plot of their difference. */
export function CompareTakes({ sides }: { sides: readonly [NamedFace, NamedFace] }) {
  const { t } = useTranslation('takes');
  const takes = [useTake(sides[0].id), useTake(sides[1].id)] as const;
  const [first, second] = [takes[0].data, takes[1].data];
  const isGone = takes.some(({ data }) => data === null);
  const failure = takes.find(({ error }) => error)?.error;
  return (
    <>
      <PageHeader title={t('compare.title')} note={t('compare.note')}>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={15} />}
          onClick={() => go('takes', sides[0].id)}
        >
          {t('compare.back')}
        </Button>
      </PageHeader>
      {isGone && <Gone />}
      {failure && <Callout tone="bad" title={failure.message} />}
      {first && second && (
        <Compared sides={[faceOf(sides[0], first), faceOf(sides[1], second)]} takes={[first, second]} />
      )}
    </>
  );
}

const faceOf = ({ id, face }: NamedFace, take: Take): ComparedFace => ({ id, face: face ?? take.shownFace });

function Gone() {
  const { t } = useTranslation('takes');
  return <EmptyState icon={<Strip />} title={t('compare.title')} text={t('compare.gone')} />;
}

function Compared(props: { sides: readonly [ComparedFace, ComparedFace]; takes: readonly [Take, Take] }) {
  const { t } = useTranslation(['takes', 'library']);
  const { sides, takes } = props;
  const [asEdited, setAsEdited] = useState(true);
  const first = useSide(sides[0], takes[0], asEdited);
  const second = useSide(sides[1], takes[1], asEdited);
  const [heard, setHeard] = useState<'0' | '1'>('0');
  const player = useComparedSound();
  const difference = useMemo(
    () => first.shown && second.shown && faceDifference(first.shown, second.shown),
    [first.shown, second.shown],
  );
  const seconds = Math.max(first.seconds, second.seconds);
  const keyOf = useKeyNames();
  const label = (side: ComparedSide): string =>
    `${side.name} · ${t(`speech.${side.face === 'second' ? 'whole' : 'live'}`)}`;
  useActions(
    'pages.takes',
    [
      {
        ...shortcut('takes.play'),
        words: player.playing ? 'takes:pause' : 'takes:play',
        yields: takesSpace,
        run: player.toggle,
      },
    ],
    undefined,
  );
  if (first.isGone || second.isGone) return <Gone />;
  return (
    <div className={classes.page}>
      <div className={classes.heads}>
        {[first, second].map((side, at) => (
          <section key={at === 0 ? 'first' : 'second'} className={classes.head} aria-label={label(side)}>
            <p className={classes.caption}>{label(side)}</p>
            <div className={classes.stage}>
              <ComparedHead side={side} now={player.now} />
            </div>
          </section>
        ))}
      </div>
      <audio
        ref={player.audio}
        src={[first, second][Number(heard)]!.sound}
        preload="auto"
        {...player.listeners}
      />
      <div className={classes.transport}>
        <Tooltip label={withKey(player.playing ? t('pause') : t('play'), keyOf('takes.play'))}>
          <ActionIcon
            size={34}
            variant="filled"
            color="patina"
            aria-label={player.playing ? t('pause') : t('play')}
            onClick={player.toggle}
          >
            {player.playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
          </ActionIcon>
        </Tooltip>
        <Position audio={player.audio} seconds={seconds} />
        {(first.isEdited || second.isEdited) && (
          <SegmentedControl
            aria-label={t('compare.shown')}
            value={asEdited ? 'edited' : 'recorded'}
            data={[
              { value: 'recorded', label: t('compare.recorded') },
              { value: 'edited', label: t('compare.edited') },
            ]}
            onChange={(value) => setAsEdited(value === 'edited')}
          />
        )}
        {sides[0].id !== sides[1].id && (
          <SegmentedControl
            aria-label={t('compare.heard')}
            value={heard}
            data={[first, second].map(({ name }, at) => ({ value: String(at), label: name }))}
            onChange={(value) => setHeard(value as '0' | '1')}
          />
        )}
      </div>
      {difference && <Difference difference={difference} />}
    </div>
  );
}

function ComparedHead({ side, now }: { side: ComparedSide; now: () => number }) {
  const face = useTakeFace(side.shown, now);
  return (
    <SpeakingHead
      url={useHeadUrl(side.model)}
      modelId={side.model}
      face={face}
      style={plainStyle}
      mirror={false}
    />
  );
}

function useComparedSound() {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const now = useCallback(() => audio.current?.currentTime ?? 0, []);
  const toggle = useCallback(() => {
    const player = audio.current;
    if (player?.paused) attempt(() => player.play());
    else player?.pause();
  }, []);
  const listeners = {
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onEnded: () => setPlaying(false),
  };
  return { audio, playing, now, toggle, listeners };
}

/** Where both are: dragged, or by arrows a frame, and by Page keys a second. */
function Position({ audio, seconds }: { audio: RefObject<HTMLAudioElement | null>; seconds: number }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const [at, setAt] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setAt(audio.current?.currentTime ?? 0), 100);
    return () => clearInterval(timer);
  }, [audio]);
  return (
    <>
      <span className={classes.clock}>
        {figures.seconds(at)} / {figures.seconds(seconds)}
      </span>
      <Slider
        className={classes.position ?? ''}
        size="sm"
        min={0}
        max={Math.max(seconds, 0.01)}
        step={1 / 60}
        label={null}
        thumbLabel={t('position')}
        thumbProps={{ 'aria-valuetext': figures.seconds(at) }}
        value={at}
        onChange={(value) => {
          setAt(value);
          if (audio.current) audio.current.currentTime = value;
        }}
      />
    </>
  );
}
