import {
  ActionIcon,
  ColorInput,
  Group,
  Menu,
  NumberInput,
  Popover,
  SegmentedControl,
  Slider,
  Tooltip,
} from '@mantine/core';
import { IconAdjustments, IconBackground, IconBulb, IconCube, IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActionWords } from '../base/actions.ts';
import type { ShortcutId } from '../base/shortcuts/shortcut-table.ts';
import { printKey, useKeyNames, useKeysOf, withKey } from '../base/shortcuts/shortcuts.ts';
import {
  backgrounds,
  changeAppearance,
  comparisons,
  lenses,
  lightRigs,
  shadings,
  useAppearance,
} from './appearance.ts';
import classes from './HeadViewer.module.css';
import { type ViewerAt, viewerActions } from './viewer-actions.ts';

const icon = { size: 17, stroke: 1.6 } as const;
const actionOf = (id: ShortcutId) => viewerActions.find((action) => action.id === id)!;

/** The tools below the head, from the table of what can be done with it. */
export function ViewerTools({
  at,
  aligned,
}: {
  at: ViewerAt /** The photo lies over the head as it was taken. */;
  aligned: boolean;
}) {
  const { t } = useTranslation('viewer');
  const keyOf = useKeyNames();
  const { light, background, shading, wireframe, turning, photo, blend } = useAppearance();
  if (!at.all)
    return (
      <div className={classes.tools} data-notice-floor>
        <SegmentedControl
          aria-label={t('light')}
          value={light}
          data={lightRigs.map((value) => ({ value, label: t(`lights.${value}`) }))}
          onChange={(value) => changeAppearance({ light: value })}
        />
        <Tool id="viewer.frame" at={at} />
      </div>
    );
  return (
    <div className={classes.tools} data-notice-floor>
      {at.hasPhoto && photo === 'blended' && (
        <div className={classes.blend}>
          <Slider
            size="xs"
            min={0}
            max={1}
            step={0.01}
            label={null}
            value={blend}
            thumbLabel={t('blend')}
            onChange={(value) => changeAppearance({ blend: value })}
          />
          {!aligned && <p>{t('notAligned')}</p>}
        </div>
      )}
      <Group gap={2} className={classes.bar ?? ''} role="toolbar" aria-label={t('tools')}>
        <Choice
          label={t('light')}
          letter={keyOf('viewer.light')}
          value={light}
          options={lightRigs.map((value) => [value, t(`lights.${value}`)])}
          onChange={(value) => changeAppearance({ light: value })}
        >
          <IconBulb {...icon} />
        </Choice>
        <Choice
          label={t('background')}
          letter={keyOf('viewer.background')}
          value={background}
          options={backgrounds.map((value) => [value, t(`backgrounds.${value}`)])}
          onChange={(value) => changeAppearance({ background: value })}
        >
          <IconBackground {...icon} />
        </Choice>
        <Choice
          label={t('shading')}
          letter={keyOf('viewer.shading')}
          value={shading}
          options={shadings.map((value) => [value, t(`shadings.${value}`)])}
          onChange={(value) => changeAppearance({ shading: value })}
        >
          <IconCube {...icon} />
        </Choice>
        {at.hasPhoto && (
          <Choice
            label={t('compare')}
            letter={keyOf('viewer.photo')}
            value={photo}
            options={comparisons.map((value) => [value, t(`comparisons.${value}`)])}
            onChange={(value) => changeAppearance({ photo: value })}
          >
            <IconPhoto {...icon} />
          </Choice>
        )}
        <View at={at} />
        <span className={classes.rule} />
        <Tool id="viewer.wireframe" at={at} on={wireframe} />
        <Tool id="viewer.turntable" at={at} on={turning} />
        <Tool id="viewer.frame" at={at} />
        <span className={classes.rule} />
        <Tool id="viewer.shoot" at={at} />
        <Tool id="viewer.fullscreen" at={at} />
      </Group>
    </div>
  );
}

function Tool({ id, at, on }: { id: ShortcutId; at: ViewerAt; on?: boolean }) {
  const action = actionOf(id);
  const keyOf = useKeyNames();
  const label = useActionWords().labelOf(action.words);
  const Icon = action.icon;
  return (
    <Tooltip label={withKey(label, keyOf(id))}>
      <ActionIcon
        size={30}
        variant={on ? 'light' : 'subtle'}
        color={on ? 'patina' : 'gray'}
        aria-label={label}
        aria-pressed={on}
        onClick={() => action.run(at)}
      >
        {Icon && <Icon {...icon} />}
      </ActionIcon>
    </Tooltip>
  );
}

const sides = viewerActions.filter(({ id }) => id.startsWith('viewer.from.') || id === 'viewer.opposite');

/** Fields for view direction, lens, light angle and custom background: values that can also be dragged. */
function View({ at }: { at: ViewerAt }) {
  const { t } = useTranslation('viewer');
  const { labelOf } = useActionWords();
  const keysOf = useKeysOf();
  const { lens, lightTurn, background, ownColour } = useAppearance();
  const [opened, setOpened] = useState(false);
  return (
    <Popover position="top" withinPortal={false} trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Tooltip label={t('view')} disabled={opened}>
          <ActionIcon size={30} aria-label={t('view')} onClick={() => setOpened(!opened)}>
            <IconAdjustments {...icon} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.viewMenu ?? ''} aria-label={t('view')}>
        <div className={classes.sides}>
          {sides.map((action) => (
            <button key={action.id} type="button" className={classes.side} onClick={() => action.run(at)}>
              <span>{labelOf(action.words)}</span>
              <kbd>{printKey(keysOf(action)[0] ?? '')}</kbd>
            </button>
          ))}
        </div>
        <Measure
          label={t('lens')}
          unit="°"
          least={lenses.least}
          most={lenses.most}
          usual={lenses.usual}
          value={lens}
          onChange={(value) => changeAppearance({ lens: value })}
        />
        <Measure
          label={t('lightTurn')}
          unit="°"
          least={-180}
          most={180}
          usual={0}
          value={lightTurn}
          onChange={(value) => changeAppearance({ lightTurn: value })}
        />
        <ColorInput
          label={t('ownColour')}
          size="xs"
          format="hex"
          withEyeDropper={false}
          value={ownColour}
          popoverProps={{ withinPortal: false }}
          {...(background === 'own' ? {} : { description: t('ownColourNote') })}
          onChange={(colour) => {
            if (/^#[0-9a-f]{6}$/i.test(colour)) changeAppearance({ ownColour: colour, background: 'own' });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** A measure that is dragged or typed. */
function Measure(props: {
  label: string;
  unit: string;
  least: number;
  most: number;
  usual: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { label, least, most, usual, value, onChange } = props;
  return (
    <div className={classes.measure}>
      <span aria-hidden>{label}</span>
      <Slider
        size="xs"
        min={least}
        max={most}
        step={1}
        label={null}
        marks={[{ value: usual }]}
        value={value}
        thumbLabel={label}
        onChange={onChange}
      />
      <NumberInput
        size="xs"
        aria-label={label}
        min={least}
        max={most}
        suffix={props.unit}
        hideControls
        value={value}
        onChange={(typed) => {
          const number = Number(typed);
          if (typed !== '' && number >= least && number <= most) onChange(number);
        }}
      />
    </div>
  );
}

/**
 * One of several, behind a button; the menu stays inside the stage, so that it is there in fullscreen, too.
 */
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
        <Tooltip label={withKey(props.label, props.letter)}>
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
            closeMenuOnClick
            onChange={() => props.onChange(value)}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
