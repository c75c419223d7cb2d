import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { Button, NumberInput, Switch } from '@mantine/core';
import { IconPlayerRecordFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { attempt } from '../../../base/notices.tsx';
import { useKeyNames } from '../../../base/shortcuts/shortcuts.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import { LevelMeter } from '../../../live/panels/LevelMeter.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import type { EditSession } from '../edits/edit-session.ts';
import classes from '../panels/panels.module.css';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { OverdubList } from './OverdubList.tsx';
import tryClasses from './overdub.module.css';
import { isRecording } from './overdub-recorder.ts';
import { changePunch, toggledArm, usePunchSettings } from './overdub-settings.ts';
import { TakenTable } from './TakenTable.tsx';
import { useOverdubs } from './take-overdubs.ts';
import type { Overdub } from './use-overdub.ts';

/** Recording tries of a take over it, and choosing the best of them stretch by stretch. */
export function OverdubPanel(props: {
  take: Take;
  session: EditSession;
  timeline: TimelineState;
  overdub: Overdub;
}) {
  const { take, session, timeline, overdub } = props;
  const { data: all } = useOverdubs(take.id);
  return (
    <div className={classes.panel}>
      <Recording timeline={timeline} overdub={overdub} />
      {all && (
        <OverdubList
          take={take}
          overdubs={all}
          session={session}
          timeline={timeline}
          player={overdub.player}
        />
      )}
      {all && all.length > 0 && <TakenTable overdubs={all} session={session} timeline={timeline} />}
    </div>
  );
}

const nothing = (): void => undefined;

function Recording({
  timeline,
  overdub: { recorder, player },
}: {
  timeline: TimelineState;
  overdub: Overdub;
}) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const keyOf = useKeyNames();
  const state = recorder.state.use();
  const { phase, problem, left = 0 } = state;
  const { armed, preRoll, clicks, hearsTake } = usePunchSettings();
  const selection = timeline.selection.use();
  const { toPlayed } = timeline.map.use();
  const isIdle = phase === 'idle';
  const isRunning = isRecording(state);
  return (
    <>
      <h2 className={classes.title}>{t('editor.overdub.title')}</h2>
      <Armed isIdle={isIdle} />
      <div className={tryClasses.settings}>
        <NumberInput
          label={t('editor.overdub.preRoll')}
          min={0}
          max={10}
          step={0.5}
          decimalScale={1}
          suffix=" s"
          disabled={!isIdle}
          value={preRoll}
          onChange={(value) => {
            if (typeof value === 'number' && value >= 0 && value <= 10) changePunch({ preRoll: value });
          }}
        />
        <Switch
          label={t('editor.overdub.clicks')}
          checked={clicks}
          disabled={!isIdle}
          onChange={({ currentTarget: { checked } }) => changePunch({ clicks: checked })}
        />
        <Switch
          label={t('editor.overdub.hears')}
          checked={hearsTake}
          disabled={!isIdle}
          onChange={({ currentTarget: { checked } }) => changePunch({ hearsTake: checked })}
        />
      </div>
      <p className={classes.quiet}>
        {selection
          ? t('editor.overdub.range', {
              from: figures.seconds(toPlayed(selection.from)),
              to: figures.seconds(toPlayed(selection.to)),
            })
          : t('editor.overdub.openRange')}
      </p>
      <Button
        color="crimson"
        variant={isRunning ? 'filled' : 'default'}
        loading={phase === 'opening' || phase === 'ending'}
        leftSection={
          isRunning ? (
            <IconPlayerStopFilled size={14} />
          ) : (
            <IconPlayerRecordFilled size={14} color="var(--lk-record)" />
          )
        }
        rightSection={<span className={tryClasses.key}>{keyOf('takes.punch')}</span>}
        onClick={() => {
          player.stop();
          if (isRunning) recorder.stop();
          else attempt(recorder.record);
        }}
      >
        {isRunning ? t('editor.overdub.stop') : t('editor.overdub.record')}
      </Button>
      <p className={classes.quiet} role="status">
        {phase === 'counting'
          ? t('editor.overdub.counting', { left })
          : phase !== 'idle' && t(`editor.overdub.phases.${phase}`, { count: armed.length })}
      </p>
      {isRunning && <LevelMeter onVoice={nothing} />}
      {problem && <Callout tone="bad">{problem}</Callout>}
    </>
  );
}

/** Regions to record: one, several, or the whole face. */
function Armed({ isIdle }: { isIdle: boolean }) {
  const { t } = useTranslation('takes');
  const { armed } = usePunchSettings();
  const isAll = armed.length === faceRegions.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, no fields
    <div role="group" aria-label={t('editor.overdub.armed')} className={tryClasses.armed}>
      <Button
        size="compact-sm"
        variant={isAll ? 'filled' : 'default'}
        aria-pressed={isAll}
        disabled={!isIdle}
        onClick={() => changePunch({ armed: isAll ? ['mouth'] : [...faceRegions] })}
      >
        {t('editor.overdub.all')}
      </Button>
      {faceRegions.map((region) => {
        const isArmed = armed.includes(region);
        return (
          <Button
            key={region}
            size="compact-sm"
            variant={isArmed ? 'filled' : 'default'}
            aria-pressed={isArmed}
            disabled={!isIdle}
            onClick={() => changePunch({ armed: isAll ? [region] : toggledArm(armed, region) })}
          >
            {t(`editor.regions.${region}`)}
          </Button>
        );
      })}
    </div>
  );
}
