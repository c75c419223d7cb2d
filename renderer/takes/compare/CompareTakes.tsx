import { ActionIcon, Button, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faceDifference } from '#proto/takes/face_difference.ts';
import { useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { go } from '../../base/route.ts';
import { useTake } from '../../base/studio-queries.ts';
import { plainFaceStyle } from '../../speaking/face-style.ts';
import { SpeakingHead } from '../../speaking/SpeakingHead.tsx';
import { EmptyPlace } from '../../ui/EmptyPlace.tsx';
import { takesSpace } from '../../ui/key-takers.ts';
import { PlaceHeader } from '../../ui/PlaceHeader.tsx';
import { Strip } from '../Strip.tsx';
import { type LoadedTake, loadTake } from '../take-file.ts';
import { useTakeFace } from '../take-playback.ts';
import classes from './CompareTakes.module.css';
import type { ComparedFace } from './compare-route.ts';
import { Difference } from './Difference.tsx';

const plainStyle = () => plainFaceStyle;

/** Two takes, or two faces of one, side by side: they are scrubbed together, and their difference is drawn. */
export function CompareTakes({ sides }: { sides: readonly [ComparedFace, ComparedFace] }) {
  const { t } = useTranslation(['takes', 'library']);
  const first = useSide(sides[0]);
  const second = useSide(sides[1]);
  const [heard, setHeard] = useState<'0' | '1'>('0');
  const player = useComparedSound();
  const loaded = first.loaded && second.loaded ? ([first.loaded, second.loaded] as const) : null;
  const difference = useMemo(
    () => loaded && faceDifference(loaded[0].face, loaded[1].face),
    [loaded?.[0], loaded?.[1]],
  );
  const seconds = Math.max(first.seconds, second.seconds);
  const isGone = first.isGone || second.isGone;
  const label = (side: typeof first): string =>
    `${side.name} · ${t(`speech.${side.face === 'second' ? 'whole' : 'live'}`)}`;
  useActions(
    'places.takes',
    [
      {
        id: 'takes.play',
        words: player.playing ? 'takes:pause' : 'takes:play',
        keys: [' '],
        yields: takesSpace,
        run: player.toggle,
      },
    ],
    undefined,
  );
  return (
    <>
      <PlaceHeader title={t('compare.title')} note={t('compare.note')}>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={15} />}
          onClick={() => go('takes', sides[0].id)}
        >
          {t('compare.back')}
        </Button>
      </PlaceHeader>
      {isGone ? (
        <EmptyPlace icon={<Strip />} title={t('compare.title')} text={t('compare.gone')} />
      ) : (
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
            src={assetUrl(sides[Number(heard)]!.id, 'take-audio')}
            preload="auto"
            {...player.listeners}
          />
          <div className={classes.transport}>
            <Tooltip label={`${player.playing ? t('pause') : t('play')}  ${t('space')}`}>
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
      )}
    </>
  );
}

interface Side extends ComparedFace {
  name: string;
  seconds: number;
  model: string;
  loaded: LoadedTake | undefined;
  isGone: boolean;
}

function useSide({ id, face }: ComparedFace): Side {
  const { data: take, isPending } = useTake(id);
  const { data: loaded, isError } = useQuery({
    queryKey: ['compared-take', id, face],
    queryFn: ({ signal }) => loadTake({ id, shownFace: face }, signal),
    gcTime: 30_000,
    retry: false,
  });
  return {
    id,
    face,
    name: take?.name ?? '',
    seconds: take?.seconds ?? 0,
    model: take?.model ?? '',
    loaded,
    isGone: isError || (!isPending && !take),
  };
}

function ComparedHead({ side, now }: { side: Side; now: () => number }) {
  const face = useTakeFace(side.loaded?.face, now);
  return (
    <SpeakingHead
      url={side.model ? assetUrl(side.model, 'model') : assetUrl('default', 'default-head')}
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
