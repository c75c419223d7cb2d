import { ActionIcon, Button, Menu, SegmentedControl, Switch, Tooltip } from '@mantine/core';
import {
  IconDownload,
  IconFolderOpen,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconTrash,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { useLatest } from '../base/latest.ts';
import { useFigures } from '../base/text/number-format.ts';
import { ToolButton } from '../ui/ToolButton.tsx';
import { ExportTakesDialog } from './export/ExportTakesDialog.tsx';
import { useKeyedState } from './keyed-state.ts';
import classes from './Takes.module.css';
import { revealTake, type useTakeExport } from './take-actions.ts';
import type { TakePlayback } from './take-playback.ts';
import { FilmButton } from './video/FilmButton.tsx';

const speeds = ['0.25', '0.5', '1', '1.5'] as const;

/** The row under the waveform: play, time, speed, loop, and what can be done with the take as a whole. */
export function Transport(props: {
  take: Take;
  /** The head that it is shown on; empty: the default head. */
  modelId: string;
  playback: TakePlayback;
  /** How long it plays. */
  seconds: number;
  exports: ReturnType<typeof useTakeExport>;
  onTrash: () => void;
  /** Time-based controls, between the waveform and the actions for the whole take. */
  children: ReactNode;
}) {
  const figures = useFigures();
  const { take, playback } = props;
  const { playing, speed, loop } = playback;
  return (
    <div className={classes.transport}>
      <PlayButton playing={playing} onToggle={useLatest(playback.toggle)} />
      <span className={classes.quiet}>
        <span ref={playback.clock} className={classes.clock} /> / {figures.seconds(props.seconds)}
      </span>
      <Pace speed={speed} loop={loop} onSpeed={playback.setSpeed} onLoop={playback.setLoop} />
      {props.children}
      <div className={classes.whole}>
        <FilmButton take={take} modelId={props.modelId} seconds={props.seconds} />
        <ExportButton id={take.id} modelId={props.modelId} exports={props.exports} />
        <FolderAndTrash id={take.id} onTrash={props.onTrash} />
      </div>
    </div>
  );
}

const PlayButton = memo(function PlayButton(props: { playing: boolean; onToggle: () => void }) {
  const { t } = useTranslation('takes');
  const word = props.playing ? t('pause') : t('play');
  return (
    <Tooltip label={`${word}  ${t('space')}`}>
      <ActionIcon size={34} variant="filled" color="patina" aria-label={word} onClick={props.onToggle}>
        {props.playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </ActionIcon>
    </Tooltip>
  );
});

const Pace = memo(function Pace(props: {
  speed: string;
  loop: boolean;
  onSpeed: (speed: string) => void;
  onLoop: (loop: boolean) => void;
}) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  return (
    <>
      <SegmentedControl
        aria-label={t('speed')}
        value={props.speed}
        data={speeds.map((value) => ({ value, label: `${figures.number(Number(value), 2)}×` }))}
        onChange={props.onSpeed}
      />
      <Switch
        label={t('loop')}
        checked={props.loop}
        onChange={({ currentTarget: { checked } }) => props.onLoop(checked)}
      />
    </>
  );
});

const FolderAndTrash = memo(function FolderAndTrash(props: { id: string; onTrash: () => void }) {
  const { t } = useTranslation('takes');
  return (
    <>
      <ToolButton label={t('reveal')} icon={IconFolderOpen} onClick={() => revealTake(props.id)} />
      <ToolButton label={t('trash')} keyName={t('deleteKey')} icon={IconTrash} onClick={props.onTrash} />
    </>
  );
});

function ExportButton(props: { id: string; modelId: string; exports: ReturnType<typeof useTakeExport> }) {
  const { id, modelId } = props;
  const [isOpen, setOpen] = useKeyedState(id, false);
  return (
    <>
      <ExportMenu exports={props.exports} onOpen={useLatest(() => setOpen(true))} />
      {isOpen && <ExportTakesDialog ids={[id]} modelId={modelId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** @param props.onOpen the dialog for several formats */
const ExportMenu = memo(function ExportMenu(props: {
  exports: ReturnType<typeof useTakeExport>;
  onOpen: () => void;
}) {
  const { formats, canExport, exportAs } = props.exports;
  const { t } = useTranslation(['takes', 'takeExport']);
  return (
    // In a small window it scrolls: there are more formats than lines.
    <Menu position="top-end" middlewares={{ flip: true, shift: true, size: { padding: 8 } }}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.formats ?? ''}>
        <Menu.Item onClick={props.onOpen}>{t('takeExport:open')}</Menu.Item>
        <Menu.Divider />
        {formats.map((format) => (
          <Menu.Item key={format} disabled={!canExport(format)} onClick={() => exportAs(format)}>
            {t(`formats.${format}`)}
            {!canExport(format) && <div className={classes.quiet}>{t('needsWords')}</div>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
