import {
  ActionIcon,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Switch,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import {
  IconDownload,
  IconFolderOpen,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { builtInProfileId, takeFormats } from '#contract/constants.ts';
import { type Action, useActions } from '../base/actions.ts';
import { assetUrl } from '../base/asset-url.ts';
import { isTyping } from '../base/keyboard.ts';
import { attempt, offerUndo } from '../base/notices.tsx';
import { useFigures } from '../base/number-format.ts';
import { worded } from '../base/sentence-text.ts';
import { studio } from '../base/studio.ts';
import { changeSettings, useSettings } from '../base/studio-queries.ts';
import { HeadSelect } from '../live/panels/HeadSelect.tsx';
import { blendFrames, type FaceState, restingFace } from '../speaking/face-state.ts';
import { plainFaceStyle } from '../speaking/face-style.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { Callout } from '../ui/Callout.tsx';
import { takesArrows, takesSpace } from '../ui/key-takers.ts';
import classes from './Takes.module.css';
import { framesAround, loadTake } from './take-file.ts';
import { seek, Waveform } from './Waveform.tsx';

const speeds = ['0.25', '0.5', '1', '1.5'] as const;
const plainStyle = () => plainFaceStyle;

/** One take on a head, sound and face together. */
export function TakePlayer({ take }: { take: Take }) {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const audio = useRef<HTMLAudioElement>(null);
  const clock = useRef<HTMLSpanElement>(null);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState('1');
  const [loop, setLoop] = useState(false);
  const [modelId, setModelId] = useState(take.model);
  const { data, error } = useQuery({
    // Read anew when what was missing has been added.
    queryKey: ['take', take.id, take.addedSeconds],
    queryFn: ({ signal }) => loadTake(take.id, signal),
    gcTime: 30_000,
  });
  const state = useRef<FaceState>(restingFace());
  const face = useCallback((): FaceState | null => {
    const around = data && framesAround(data.face, audio.current?.currentTime ?? 0);
    if (!around) return null;
    blendFrames(state.current, data.face.channelNames, {
      from: { frame: around.from },
      to: { frame: around.to },
      mix: around.mix,
    });
    return state.current;
  }, [data]);
  const toggle = useCallback(() => {
    const player = audio.current;
    if (!player) return;
    if (player.paused) attempt(() => player.play());
    else player.pause();
  }, []);
  const name = useKept(
    take.name,
    (value) => studio.takes.edit({ id: take.id, changes: { name: value } }),
    (value) => value.trim() !== '',
  );
  const notes = useKept(take.notes, (value) => studio.takes.edit({ id: take.id, changes: { notes: value } }));
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = Number(speed);
  }, [speed]);

  const trash = useTrash(take);
  useSeekKeys(useCallback((key, shift) => seek(audio.current, take.seconds, key, shift), [take.seconds]));

  const { takeExport, rememberExport } = useSettings();
  const exportAs = (format: (typeof takeFormats)[number]): void =>
    attempt(async () => {
      const { files } = await studio.takes.export({ id: take.id, format, modelId: modelId || null });
      if (rememberExport && format !== takeExport) await changeSettings({ takeExport: format });
      for (const { exportId, fileName } of files) {
        const link = document.createElement('a');
        link.href = assetUrl(exportId, 'take-export');
        link.download = fileName;
        link.click();
        // Browsers drop all but the last of downloads that begin at once.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    });
  useActions(
    'places.takes',
    [
      {
        id: 'takes.play',
        words: playing ? 'takes:pause' : 'takes:play',
        icon: playing ? IconPlayerPauseFilled : IconPlayerPlayFilled,
        keys: [' '],
        yields: (target) => !isShown(target) && takesSpace(target),
        run: toggle,
      },
      { id: 'takes.loop', words: 'takes:loop', keys: ['L'], run: () => setLoop((on) => !on) },
      ...takeFormats.map(
        (format): Action => ({
          id: `takes.export.${format}`,
          of: 'takes:export',
          words: `takes:formats.${format}`,
          icon: IconDownload,
          run: () => exportAs(format),
        }),
      ),
      { id: 'takes.trash', words: 'takes:trash', icon: IconTrash, keys: ['Delete'], run: trash },
    ],
    undefined,
  );
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
        {/* biome-ignore lint/a11y/useMediaCaption: a take has no words, only a voice */}
        <audio
          ref={audio}
          src={assetUrl(take.id, 'take-audio')}
          preload="auto"
          loop={loop}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={() => setPlaying(false)}
        />
        <div className={classes.wave}>
          {data && <Waveform take={data} seconds={take.seconds} audio={audio} clock={clock} />}
          <div className={classes.curves}>
            <span className={classes.curve} data-curve="jaw">
              {t('curves.jaw')}
            </span>
            <span className={classes.curve} data-curve="rounding">
              {t('curves.rounding')}
            </span>
          </div>
        </div>
        <div className={classes.transport}>
          <Tooltip label={`${playing ? t('pause') : t('play')}  ${t('space')}`}>
            <ActionIcon
              size={34}
              variant="filled"
              color="patina"
              aria-label={playing ? t('pause') : t('play')}
              onClick={toggle}
            >
              {playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
            </ActionIcon>
          </Tooltip>
          <span className={classes.quiet}>
            <span ref={clock} className={classes.clock} /> / {figures.seconds(take.seconds)}
          </span>
          <SegmentedControl
            aria-label={t('speed')}
            value={speed}
            data={speeds.map((value) => ({ value, label: `${figures.number(Number(value), 2)}×` }))}
            onChange={setSpeed}
          />
          <Switch
            label={t('loop')}
            checked={loop}
            onChange={({ currentTarget: { checked } }) => setLoop(checked)}
          />
          <span className={classes.space} />
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="default" leftSection={<IconDownload size={15} />}>
                {t('export')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {/* First what is set, or was chosen last: a menu begins there. */}
              {[takeExport, ...takeFormats.filter((format) => format !== takeExport)].map((format) => (
                <Menu.Item key={format} onClick={() => exportAs(format)}>
                  {t(`formats.${format}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Tooltip label={t('reveal')}>
            <ActionIcon
              aria-label={t('reveal')}
              onClick={() => attempt(() => studio.takes.reveal({ id: take.id }))}
            >
              <IconFolderOpen size={17} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={`${t('trash')}  ${t('deleteKey')}`}>
            <ActionIcon aria-label={t('trash')} onClick={trash}>
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        </div>
        <div className={classes.fields}>
          <TextInput
            label={t('name')}
            maxLength={120}
            {...name}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') currentTarget.blur();
            }}
          />
          <Textarea
            label={t('notes')}
            placeholder={t('notesHint')}
            maxLength={20_000}
            autosize
            maxRows={3}
            {...notes}
          />
          <HeadSelect value={modelId} onChange={setModelId} />
        </div>
        <p className={classes.quiet}>
          {[
            figures.dateTime(take.createdAt),
            take.profileId === builtInProfileId ? t('app:builtIn') : take.profileName,
            take.tiers.includes('server') ? t('tiers.server') : t('tiers.local'),
            ...(take.latency ? [t('latency', { p95: figures.milliseconds(take.latency.p95) })] : []),
          ].join(' · ')}
        </p>
      </div>
    </section>
  );
}

function useTrash({ id, name }: Take): () => void {
  const { t } = useTranslation('takes');
  return useCallback(
    () =>
      attempt(async () => {
        await studio.takes.trash({ id });
        offerUndo(t('trashed', { name }), () => attempt(() => studio.takes.restore({ id })));
      }),
    [id, name, t],
  );
}

/** A take that can't be read: why, and what there is to do with it. */
export function DamagedTake({ take }: { take: Take }) {
  const { t } = useTranslation('takes');
  const trash = useTrash(take);
  return (
    <section className={classes.player} aria-label={take.name}>
      <div className={classes.desk}>
        <Callout tone="bad" title={t('unreadable')}>
          {worded(take.damaged)}
        </Callout>
        <Group>
          <Button variant="default" onClick={() => attempt(() => studio.takes.reveal({ id: take.id }))}>
            {t('reveal')}
          </Button>
          <Button variant="default" onClick={trash}>
            {t('trash')}
          </Button>
        </Group>
      </div>
    </section>
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

/**
 * A field that is kept when it is left: what a text input needs. What was changed elsewhere shows at once.
 *
 * @param isValid false: what was there comes back
 */
function useKept(kept: string, keep: (value: string) => Promise<unknown>, isValid = (_: string) => true) {
  const [value, setValue] = useState(kept);
  const [last, setLast] = useState(kept);
  if (kept !== last) {
    setLast(kept);
    setValue(kept);
  }
  return {
    value,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValue(currentTarget.value),
    onBlur: () => {
      if (!isValid(value)) setValue(kept);
      else if (value !== kept) attempt(() => keep(value));
    },
  };
}

/** In the list, the take that is shown already: to press it again would do nothing. */
const isShown = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-take][aria-current]') !== null;

/** Arrows and the like, wherever on the page the focus is, unless what has it wants them itself. */
function useSeekKeys(goTo: (key: string, shift: boolean) => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(target))
        return;
      if (takesArrows(target) || !goTo(key, event.shiftKey)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [goTo]);
}
