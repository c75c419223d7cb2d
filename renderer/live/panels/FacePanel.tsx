import { anyDefaultHead, defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import { ColorInput, SegmentedControl, Select, Slider, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { changeSettings, useAppInfo, useSettings } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { type FaceStyle, regions } from '../../speaking/face-style.ts';
import { type Framing, framings } from '../../speaking/framing.ts';
import classes from '../Live.module.css';
import { sessionNow } from '../live-session.ts';
import {
  backgrounds,
  changeLive,
  type LiveSettings,
  popOutSizes,
  useLiveSettings,
} from '../live-settings.ts';
import { openPopOut, popOutOpen } from '../pop-out.ts';
import { Field } from './Field.tsx';

const lookaheads = [0, 20, 40, 60] as const;

function FramingSelect(props: { label: string; value: Framing; onChange: (framing: Framing) => void }) {
  const { t } = useTranslation('live');
  return (
    <Select
      label={props.label}
      allowDeselect={false}
      value={props.value}
      data={framings.map((value) => ({ value, label: t(`framing.kinds.${value}`) }))}
      onChange={(next) => props.onChange(framings.find((one) => one === next) ?? 'shoulders')}
    />
  );
}

/** Background of the head, here and in its own window, and settings of that window. */
function Background() {
  const { t } = useTranslation('live');
  const { background, ownColour, popOut } = useLiveSettings();
  const shell = useAppInfo().data?.shell ?? 'browser';
  const isOpen = popOutOpen.use();
  const onDesktop = shell === 'electron';
  // Only a window of the desktop's can let through what is behind it.
  const offered = backgrounds.filter((one) => one !== 'none' || onDesktop);
  const change = (changes: Partial<LiveSettings>): void => {
    changeLive(changes);
    if (isOpen && onDesktop) attempt(() => openPopOut(shell));
  };
  return (
    <>
      <h2 className={classes.title}>{t('background.title')}</h2>
      <Select
        label={t('background.label')}
        allowDeselect={false}
        value={offered.includes(background) ? background : 'stage'}
        data={offered.map((value) => ({ value, label: t(`background.kinds.${value}`) }))}
        onChange={(next) => change({ background: offered.find((one) => one === next) ?? 'stage' })}
      />
      {background === 'own' && (
        <ColorInput
          label={t('background.own')}
          format="hex"
          withEyeDropper={false}
          value={ownColour}
          onChange={(colour) => /^#[\da-f]{6}$/i.test(colour) && changeLive({ ownColour: colour })}
        />
      )}
      <Select
        label={t('popOut.size')}
        allowDeselect={false}
        value={popOut.size}
        data={popOutSizes.map((value) => ({ value, label: value.replace('x', ' × ') }))}
        onChange={(size) =>
          change({ popOut: { ...popOut, size: popOutSizes.find((one) => one === size) ?? '720x720' } })
        }
      />
      <FramingSelect
        label={t('popOut.framing')}
        value={popOut.framing}
        onChange={(framing) => changeLive({ popOut: { ...popOut, framing } })}
      />
      <Switch
        label={t('popOut.mirror')}
        description={t('popOut.mirrorNote')}
        checked={popOut.mirror}
        onChange={({ currentTarget: { checked } }) => changeLive({ popOut: { ...popOut, mirror: checked } })}
      />
      {onDesktop && (
        <Switch
          label={t('popOut.onTop')}
          checked={popOut.onTop}
          onChange={({ currentTarget: { checked } }) => change({ popOut: { ...popOut, onTop: checked } })}
        />
      )}
      <p className={classes.note}>{onDesktop ? t('popOut.note') : t('popOut.noteInBrowser')}</p>
    </>
  );
}

export function FacePanel() {
  const { t } = useTranslation('live');
  const { number, milliseconds } = useFigures();
  const settings = useLiveSettings();
  const { defaultHead } = useSettings();
  const { style } = settings;
  const change = (changes: Partial<FaceStyle>): void => changeLive({ style: { ...style, ...changes } });
  return (
    <>
      {settings.modelId === '' && (
        <SegmentedControl
          fullWidth
          aria-label={t('face.defaultHead')}
          value={defaultHead}
          data={defaultHeads.map((value) => ({ value, label: t(`face.own.${value}`) }))}
          onChange={(value) => attempt(() => changeSettings({ defaultHead: anyDefaultHead(value) }))}
        />
      )}
      <Field
        label={t('face.lookahead')}
        value={milliseconds(settings.lookahead)}
        note={sessionNow().kind === 'open' ? t('face.lookaheadLater') : t('face.lookaheadNote')}
      >
        <SegmentedControl
          fullWidth
          aria-label={t('face.lookahead')}
          value={String(settings.lookahead)}
          data={lookaheads.map((value) => ({ value: String(value), label: String(value) }))}
          onChange={(value) => changeLive({ lookahead: Number(value) as (typeof lookaheads)[number] })}
        />
      </Field>
      <Field label={t('face.smoothing')} value={milliseconds(style.smoothing)}>
        <Slider
          thumbLabel={t('face.smoothing')}
          min={0}
          max={80}
          step={5}
          label={null}
          value={style.smoothing}
          onChange={(smoothing) => change({ smoothing })}
        />
      </Field>
      <h2 className={classes.title}>{t('face.gains')}</h2>
      {regions.map((region) => (
        <Field
          key={region}
          label={t(`face.regions.${region}`)}
          value={t('face.percent', { value: number(style.gains[region] * 100) })}
        >
          <Slider
            thumbLabel={t(`face.regions.${region}`)}
            min={0}
            max={2}
            step={0.05}
            label={null}
            value={style.gains[region]}
            onChange={(gain) => change({ gains: { ...style.gains, [region]: gain } })}
          />
        </Field>
      ))}
      <Switch
        label={t('face.headMotion')}
        checked={style.headMotion}
        onChange={({ currentTarget: { checked } }) => change({ headMotion: checked })}
      />
      <Switch
        label={t('face.eyeMotion')}
        checked={style.eyeMotion}
        onChange={({ currentTarget: { checked } }) => change({ eyeMotion: checked })}
      />
      <Switch
        label={t('face.idle')}
        description={t('face.idleNote')}
        checked={settings.idle}
        onChange={({ currentTarget: { checked } }) => changeLive({ idle: checked })}
      />
      <Switch
        label={t('face.followPointer')}
        checked={settings.followPointer}
        onChange={({ currentTarget: { checked } }) => changeLive({ followPointer: checked })}
      />
      <Switch
        label={t('face.mirror')}
        description={t('face.mirrorNote')}
        checked={settings.mirror}
        onChange={({ currentTarget: { checked } }) => changeLive({ mirror: checked })}
      />
      <FramingSelect
        label={t('framing.label')}
        value={settings.framing}
        onChange={(framing) => changeLive({ framing })}
      />
      <Background />
    </>
  );
}
