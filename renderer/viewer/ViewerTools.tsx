import { ActionIcon, Group, Menu, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import {
  IconBackground,
  IconBulb,
  IconCamera,
  IconFocusCentered,
  IconGrid3x3,
  IconMaximize,
  IconPhoto,
  IconRotate360,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './HeadViewer.module.css';
import { lightRigs } from './LightRig.tsx';
import { backgrounds, changeLook, comparisons, useLook } from './look.ts';

const icon = { size: 17, stroke: 1.6 } as const;

/** The tools below the head; each has a key of its own while the head has the focus. */
export function ViewerTools(props: {
  all: boolean;
  hasPhoto: boolean;
  /** The photo lies over the head as it was taken. */
  aligned: boolean;
  onFrame: () => void;
  onShoot: () => void;
  onFullscreen: () => void;
}) {
  const { t } = useTranslation('viewer');
  const { light, background, wireframe, turning, photo, blend } = useLook();
  if (!props.all)
    return (
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('light')}
          value={light}
          data={lightRigs.map((value) => ({ value, label: t(`lights.${value}`) }))}
          onChange={(value) => changeLook({ light: value })}
        />
        <Tool label={t('frame')} letter="0" onClick={props.onFrame}>
          <IconFocusCentered {...icon} />
        </Tool>
      </div>
    );
  return (
    <div className={classes.tools}>
      {props.hasPhoto && photo === 'blended' && (
        <div className={classes.blend}>
          <Slider
            size="xs"
            min={0}
            max={1}
            step={0.01}
            label={null}
            value={blend}
            thumbLabel={t('blend')}
            onChange={(value) => changeLook({ blend: value })}
          />
          {!props.aligned && <p>{t('notAligned')}</p>}
        </div>
      )}
      <Group gap={2} className={classes.bar ?? ''} role="toolbar" aria-label={t('tools')}>
        <Choice
          label={t('light')}
          letter="L"
          value={light}
          options={lightRigs.map((value) => [value, t(`lights.${value}`)])}
          onChange={(value) => changeLook({ light: value })}
        >
          <IconBulb {...icon} />
        </Choice>
        <Choice
          label={t('background')}
          letter="B"
          value={background}
          options={backgrounds.map((value) => [value, t(`backgrounds.${value}`)])}
          onChange={(value) => changeLook({ background: value })}
        >
          <IconBackground {...icon} />
        </Choice>
        {props.hasPhoto && (
          <Choice
            label={t('compare')}
            letter="P"
            value={photo}
            options={comparisons.map((value) => [value, t(`comparisons.${value}`)])}
            onChange={(value) => changeLook({ photo: value })}
          >
            <IconPhoto {...icon} />
          </Choice>
        )}
        <span className={classes.rule} />
        <Tool
          label={t('wireframe')}
          letter="W"
          on={wireframe}
          onClick={() => changeLook({ wireframe: !wireframe })}
        >
          <IconGrid3x3 {...icon} />
        </Tool>
        <Tool
          label={t('turntable')}
          letter="T"
          on={turning}
          onClick={() => changeLook({ turning: !turning })}
        >
          <IconRotate360 {...icon} />
        </Tool>
        <Tool label={t('frame')} letter="0" onClick={props.onFrame}>
          <IconFocusCentered {...icon} />
        </Tool>
        <span className={classes.rule} />
        <Tool label={t('screenshot')} letter="S" onClick={props.onShoot}>
          <IconCamera {...icon} />
        </Tool>
        <Tool label={t('fullscreen')} letter="F" onClick={props.onFullscreen}>
          <IconMaximize {...icon} />
        </Tool>
      </Group>
    </div>
  );
}

function Tool(props: {
  label: string;
  letter: string;
  on?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={`${props.label}  ${props.letter}`}>
      <ActionIcon
        size={30}
        variant={props.on ? 'light' : 'subtle'}
        color={props.on ? 'patina' : 'gray'}
        aria-label={props.label}
        aria-pressed={props.on}
        onClick={props.onClick}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

/** One of several, behind a button; the menu stays inside the stage, so that it is there in fullscreen, too. */
function Choice<T extends string>(props: {
  label: string;
  letter: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  children: ReactNode;
}) {
  return (
    <Menu position="top" withinPortal={false}>
      <Menu.Target>
        <Tooltip label={`${props.label}  ${props.letter}`}>
          <ActionIcon size={30} aria-label={props.label}>
            {props.children}
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{props.label}</Menu.Label>
        {props.options.map(([value, label]) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
