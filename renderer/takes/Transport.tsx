import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconChevronDown,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconRepeat,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLatest } from '../base/latest.ts';
import { useKeyNames, withKey } from '../base/shortcuts/shortcuts.ts';
import { useFigures } from '../base/text/number-format.ts';
import { ToolButton } from '../ui/ToolButton.tsx';
import classes from './Takes.module.css';
import type { TakePlayback } from './take-playback.ts';

const speeds = ['0.25', '0.5', '1', '1.5'] as const;

/** The row over the tracks: play, time, speed and loop; at the right what edits and zooms. */
export function Transport(props: {
  playback: TakePlayback;
  /** How long it plays. */
  seconds: number;
  children: ReactNode;
}) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { playback } = props;
  const { playing, speed, loop } = playback;
  return (
    <div className={classes.bar}>
      <span data-roomy>
        <ToolButton
          label={t('toStart')}
          shortcut="takes.toStart"
          icon={IconPlayerSkipBackFilled}
          iconSize={15}
          onClick={() => playback.seek(0)}
        />
      </span>
      <PlayButton playing={playing} onToggle={useLatest(playback.toggle)} />
      <span className={classes.time}>
        <span ref={playback.clock} className={classes.clock} />
        <span data-total> / {figures.seconds(props.seconds)}</span>
      </span>
      <SpeedMenu speed={speed} onSpeed={playback.setSpeed} />
      <LoopButton isOn={loop} onLoop={playback.setLoop} />
      <span className={classes.space} />
      {props.children}
    </div>
  );
}

const PlayButton = memo(function PlayButton(props: { playing: boolean; onToggle: () => void }) {
  const { t } = useTranslation('takes');
  const word = props.playing ? t('pause') : t('play');
  const keyOf = useKeyNames();
  return (
    <Tooltip label={withKey(word, keyOf('takes.play'))}>
      <ActionIcon size={32} variant="default" c="patina" aria-label={word} onClick={props.onToggle}>
        {props.playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </ActionIcon>
    </Tooltip>
  );
});

const SpeedMenu = memo(function SpeedMenu(props: { speed: string; onSpeed: (speed: string) => void }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const written = (speed: string): string => `${figures.number(Number(speed), 2)}×`;
  return (
    <Menu position="top">
      <Menu.Target>
        <Tooltip label={t('speed')}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-label={`${t('speed')}: ${written(props.speed)}`}
            rightSection={<IconChevronDown size={12} />}
          >
            {written(props.speed)}
          </Button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {speeds.map((speed) => (
          <Menu.Item key={speed} onClick={() => props.onSpeed(speed)}>
            {written(speed)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

const LoopButton = memo(function LoopButton(props: { isOn: boolean; onLoop: (loop: boolean) => void }) {
  const { t } = useTranslation('takes');
  const keyOf = useKeyNames();
  return (
    <Tooltip label={withKey(t('loop'), keyOf('takes.loop'))}>
      <ActionIcon
        variant={props.isOn ? 'light' : 'subtle'}
        color={props.isOn ? 'patina' : 'gray'}
        aria-label={t('loop')}
        aria-pressed={props.isOn}
        onClick={() => props.onLoop(!props.isOn)}
      >
        <IconRepeat size={17} />
      </ActionIcon>
    </Tooltip>
  );
});
