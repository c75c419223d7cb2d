import { expressionNames } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { type Interpolation, interpolations } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { ExpressionKey, GazeStretch, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { ActionIcon, Button, NativeSelect, Switch } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../base/studio-queries.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import { OwnExpressions } from '../expressions/OwnExpressions.tsx';
import { copyIntoTake, offeredExpressions } from '../expressions/own-expressions.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { NumberCell } from './NumberCell.tsx';
import classes from './panels.module.css';

interface ActingProps {
  session: EditSession;
  /** Null: the take is not read yet. */
  shaped: EditedPreview | null;
  timeline: TimelineState;
  now: () => number;
}

/** Acting on top of the speech: expressions with their keys, gaze, and blinks. */
export function ActingPanel(props: ActingProps) {
  const edits = props.session.shown.use();
  return (
    <div className={classes.panel}>
      <Expressions {...props} edits={edits} />
      <OwnExpressions session={props.session} curves={props.shaped?.curves ?? null} now={props.now} />
      <Gaze {...props} edits={edits} />
      <BlinkList {...props} edits={edits} />
    </div>
  );
}

function Expressions({ session, timeline, now, edits }: ActingProps & { edits: TakeEdits }) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const keys = edits.expressions;
  const { poses } = useSettings();
  const set = (next: readonly ExpressionKey[], shown?: string): void =>
    session.apply(...(shown === undefined ? [] : copyIntoTake(poses, edits, shown)), {
      kind: 'expressions',
      keys: next.toSorted((a, b) => a.time - b.time),
    });
  const change = (at: number, changes: Partial<ExpressionKey>): void =>
    set(keys.with(at, { ...keys[at]!, ...changes }), changes.preset);
  const add = (): void => {
    const time = now();
    const others = keys.filter((key) => Math.abs(key.time - time) > 1e-3);
    set([...others, { time, preset: others.at(-1)?.preset ?? 'joy', weight: 0.6, to: 'smooth' }]);
  };
  const named = (name: string): string =>
    expressionNames.includes(name) ? t(`editor.expressions.${name as 'joy'}`) : name;
  return (
    <>
      <Heading title={t('editor.acting.expressions')} add={t('editor.acting.addExpression')} onAdd={add} />
      {keys.map((key, at) => {
        const when = seconds(key.time);
        return (
          <div key={key.time} className={classes.buttons}>
            <NumberCell
              label={t('editor.curve.timeOf', { at: when })}
              value={key.time}
              digits={2}
              step={0.05}
              least={0}
              most={timeline.seconds}
              onSet={(time) => change(at, { time })}
            />
            <NativeSelect
              size="xs"
              aria-label={t('editor.acting.expressionAt', { at: when })}
              value={key.preset}
              data={offeredExpressions(poses, edits).map((value) => ({ value, label: named(value) }))}
              onChange={({ currentTarget: { value } }) => change(at, { preset: value })}
            />
            <NumberCell
              label={t('editor.acting.strengthAt', { at: when })}
              value={key.weight}
              digits={2}
              step={0.05}
              least={0}
              most={1}
              onSet={(weight) => change(at, { weight })}
            />
            <NativeSelect
              size="xs"
              aria-label={t('editor.curve.interpolationOf', { at: when })}
              value={key.to}
              data={interpolations.map((value) => ({ value, label: t(`editor.interpolations.${value}`) }))}
              onChange={({ currentTarget: { value } }) => change(at, { to: value as Interpolation })}
            />
            <Remove
              label={t('editor.acting.removeAt', { at: when })}
              onClick={() => set(keys.toSpliced(at, 1))}
            />
          </div>
        );
      })}
    </>
  );
}

/** Seconds that a new look aside lasts where nothing is selected. */
const lookSeconds = 1.5;

function Gaze({ session, timeline, now, edits: { gaze } }: ActingProps & { edits: TakeEdits }) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const set = (stretches: readonly GazeStretch[]): void =>
    session.apply({ kind: 'gaze', stretches: stretches.toSorted((a, b) => a.from - b.from) });
  const add = (): void => {
    const range = timeline.selection.get() ?? {
      from: now(),
      to: Math.min(timeline.seconds, now() + lookSeconds),
    };
    const others = gaze.filter(({ from, to }) => to <= range.from || from >= range.to);
    set([...others, { ...range, yaw: 10, pitch: 0 }]);
  };
  return (
    <>
      <Heading title={t('editor.acting.gaze')} add={t('editor.acting.addGaze')} onAdd={add} />
      {gaze.map((stretch, index) => {
        const when = seconds(stretch.from);
        const cell = (key: keyof GazeStretch, min: number, max: number, digits: number) => (
          <NumberCell
            label={t(`editor.acting.gazeFields.${key}`, { at: when })}
            value={stretch[key]}
            digits={digits}
            step={digits > 0 ? 0.05 : 1}
            least={min}
            most={max}
            onSet={(value) => set(gaze.with(index, { ...stretch, [key]: value }))}
          />
        );
        return (
          <div key={stretch.from} className={classes.buttons}>
            {cell('from', 0, timeline.seconds, 2)}
            {cell('to', 0, timeline.seconds, 2)}
            {cell('yaw', -45, 45, 0)}
            {cell('pitch', -45, 45, 0)}
            <Remove
              label={t('editor.acting.removeAt', { at: when })}
              onClick={() => set(gaze.toSpliced(index, 1))}
            />
          </div>
        );
      })}
    </>
  );
}

function BlinkList({ session, timeline, now, edits: { blinks } }: ActingProps & { edits: TakeEdits }) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const set = (changes: Partial<TakeEdits['blinks']>): void =>
    session.apply({ kind: 'blinks', blinks: { ...blinks, ...changes } });
  return (
    <>
      <Heading
        title={t('editor.acting.blinks')}
        add={t('editor.acting.addBlink')}
        onAdd={() => set({ added: [...blinks.added, now()] })}
      />
      <Switch
        label={t('editor.acting.recordedBlinks')}
        checked={blinks.recorded}
        onChange={({ currentTarget: { checked } }) => set({ recorded: checked })}
      />
      {blinks.added.map((time, at) => (
        <div key={time} className={classes.buttons}>
          <NumberCell
            label={t('editor.acting.blinkAt', { at: seconds(time) })}
            value={time}
            digits={2}
            step={0.02}
            least={0}
            most={timeline.seconds}
            onSet={(next) => set({ added: blinks.added.with(at, next) })}
          />
          <Remove
            label={t('editor.acting.removeAt', { at: seconds(time) })}
            onClick={() => set({ added: blinks.added.toSpliced(at, 1) })}
          />
        </div>
      ))}
    </>
  );
}

function Heading({ title, add, onAdd }: { title: string; add: string; onAdd: () => void }): ReactNode {
  return (
    <div className={classes.heading}>
      <h2 className={classes.title}>{title}</h2>
      <Button variant="default" onClick={onAdd}>
        {add}
      </Button>
    </div>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon size={26} aria-label={label} onClick={onClick}>
      <IconTrash size={14} />
    </ActionIcon>
  );
}
