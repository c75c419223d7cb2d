import { builtInExpressions } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { interpolations } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { GazeStretch } from '@likeness/proto/takes/edits/take_edits.ts';
import { ActionIcon, SegmentedControl, Switch, Tooltip, UnstyledButton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../base/studio-queries.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import { EditDial } from '../edits/EditDial.tsx';
import type { EditSession } from '../edits/edit-session.ts';
import { copyIntoTake, offeredExpressions } from '../expressions/own-expressions.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import {
  type BlockChanges,
  blockEase,
  blockKeys,
  blockRamps,
  blockWeight,
  changedBlock,
  expressionBlocks,
  isPlain,
} from '../tracks/expression-blocks.ts';
import { useExpressionName } from '../tracks/expression-name.ts';
import { changedCut, cutParts, type PartEdit, type TrackKind, trackEdits } from '../tracks/track-edits.ts';
import { NumberCell, TimeCell } from './NumberCell.tsx';
import { PanelSection } from './PanelSection.tsx';
import classes from './panels.module.css';

interface PartProps {
  session: EditSession;
  timeline: TimelineState;
  index: number;
}

/** Applies an edit of a part, and keeps it selected. */
const applied = (
  { session, timeline }: PartProps,
  kind: TrackKind,
  edit: PartEdit | null | undefined,
): void => {
  if (!edit) return;
  session.apply(edit.operation);
  timeline.selected.set(edit.index === null ? null : { kind, index: edit.index });
};

function Remove({ kind, ...props }: PartProps & { kind: TrackKind }) {
  const { t } = useTranslation('takes');
  return (
    <Tooltip label={t('editor.part.remove')}>
      <ActionIcon
        size={26}
        aria-label={t('editor.part.remove')}
        onClick={() =>
          applied(
            props,
            kind,
            trackEdits[kind].removed(props.session.shown.get(), props.index, props.timeline.seconds),
          )
        }
      >
        <IconTrash size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Beginning and end of a part. */
function Range({ kind, ...props }: PartProps & { kind: TrackKind }) {
  const { t } = useTranslation('takes');
  const { session, timeline, index } = props;
  const part = trackEdits[kind].parts(session.shown.use(), timeline.seconds)[index];
  if (!part) return null;
  const cell = (edge: 'from' | 'to') => (
    <TimeCell
      timeline={timeline}
      label={t(`editor.part.${edge}`)}
      value={part[edge]}
      digits={2}
      onSet={(at) =>
        applied(
          props,
          kind,
          trackEdits[kind].trimmed?.(session.shown.get(), index, edge, at, timeline.seconds),
        )
      }
    />
  );
  return (
    <Line label={t('editor.part.range')}>
      {cell('from')}
      {cell('to')}
    </Line>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.option}>
    <span>{label}</span>
    {children}
  </div>
);

export function ExpressionPanel(props: PartProps) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const nameOf = useExpressionName();
  const { poses } = useSettings();
  const { session, timeline, index } = props;
  const edits = session.shown.use();
  const blocks = expressionBlocks(edits.expressions, timeline.seconds);
  const block = blocks[index];
  if (!block) return null;
  const operation = (changes: BlockChanges) =>
    ({ kind: 'expressions', keys: blockKeys(changedBlock(blocks, index, changes)) }) as const;
  const set = (changes: BlockChanges): void =>
    session.apply(
      ...(changes.preset === undefined ? [] : copyIntoTake(poses, edits, changes.preset)),
      operation(changes),
    );
  const { rise, fall } = blockRamps(block);
  const weight = blockWeight(block);
  const weights: Readonly<Record<string, number>> =
    edits.presets[block.preset] ??
    (builtInExpressions as Readonly<Record<string, Readonly<Record<string, number>>>>)[block.preset] ??
    {};
  const moved = Object.entries(weights).toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const ramp = (which: 'rise' | 'fall', value: number) => (
    <NumberCell
      label={t(`editor.part.${which}`)}
      value={value}
      digits={2}
      step={0.05}
      least={0}
      most={block.to - block.from}
      onSet={(next) => set({ [which]: next })}
    />
  );
  return (
    <>
      <PanelSection title={t('editor.part.expression')} actions={<Remove kind="expression" {...props} />}>
        <div role="radiogroup" aria-label={t('editor.part.expression')} className={classes.faces}>
          {offeredExpressions(poses, edits).map((preset) => (
            <Face
              key={preset}
              preset={preset}
              name={nameOf(preset)}
              isOn={preset === block.preset}
              onChoose={() => set({ preset })}
            />
          ))}
        </div>
      </PanelSection>
      <PanelSection>
        <EditDial
          label={t('editor.part.strength')}
          value={weight}
          least={0.05}
          most={1}
          step={0.05}
          digits={2}
          suffix=""
          onSlide={(next) => session.preview(operation({ weight: next }))}
          onSet={(next) => set({ weight: next })}
        />
        <Range kind="expression" {...props} />
        {isPlain(block) && (
          <Line label={t('editor.part.ramps')}>
            {ramp('rise', rise)}
            {ramp('fall', fall)}
          </Line>
        )}
        <div className={classes.option} data-wide>
          <span>{t('editor.part.ease')}</span>
          <SegmentedControl
            aria-label={t('editor.part.ease')}
            value={blockEase(block)}
            data={interpolations.map((value) => ({ value, label: t(`editor.interpolations.${value}`) }))}
            onChange={(value) => {
              const ease = interpolations.find((one) => one === value);
              if (ease) set({ ease });
            }}
          />
        </div>
      </PanelSection>
      {moved.length > 0 && (
        <PanelSection title={t('editor.part.moves')}>
          <dl className={classes.moves}>
            {moved.slice(0, 6).map(([channel, share]) => (
              <div key={channel}>
                <dt>{channel}</dt>
                <dd>
                  <i style={{ width: `${Math.abs(share * weight) * 100}%` }} />
                </dd>
                <dd>{figures.percent(share * weight)}</dd>
              </div>
            ))}
          </dl>
          <p className={classes.quiet}>{t('editor.part.closures')}</p>
        </PanelSection>
      )}
    </>
  );
}

/** Strokes of each built-in expression, in a square of 48. */
const drawings: Readonly<Record<string, string>> = {
  neutral: 'M16 30h16',
  joy: 'M15 28q9 8 18 0',
  anger: 'M16 31h16M13 15l7 3M35 15l-7 3',
  sadness: 'M16 32q8-6 16 0M13 17l7-3M35 17l-7-3',
  surprise: 'M21 31a3 4 0 1 0 6 0 3 4 0 1 0-6 0M13 13h7M28 13h7',
  disgust: 'M15 30q4-4 8 0t9-1',
  fear: 'M16 32q4-3 8 0t8 0M13 15l7-2M35 15l-7-2',
};

function Face(props: { preset: string; name: string; isOn: boolean; onChoose: () => void }) {
  const { preset, name, isOn, onChoose } = props;
  return (
    <UnstyledButton role="radio" aria-checked={isOn} className={classes.face} onClick={onChoose}>
      <svg
        viewBox="0 0 48 44"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        aria-hidden
      >
        <circle cx="17" cy="20" r="1.2" fill="currentColor" />
        <circle cx="31" cy="20" r="1.2" fill="currentColor" />
        <path d={drawings[preset] ?? 'M16 29q8 4 16-2'} />
      </svg>
      <span>{name}</span>
    </UnstyledButton>
  );
}

export function GazePanel(props: PartProps) {
  const { t } = useTranslation('takes');
  const { session, index } = props;
  const { gaze } = session.shown.use();
  const stretch = gaze[index];
  if (!stretch) return null;
  const operation = (changes: Partial<GazeStretch>) =>
    ({ kind: 'gaze', stretches: gaze.with(index, { ...stretch, ...changes }) }) as const;
  const dial = (key: 'yaw' | 'pitch') => (
    <EditDial
      label={t(`editor.part.${key}`)}
      value={stretch[key]}
      least={-45}
      most={45}
      step={1}
      digits={0}
      suffix="°"
      onSlide={(value) => session.preview(operation({ [key]: value }))}
      onSet={(value) => session.apply(operation({ [key]: value }))}
    />
  );
  return (
    <PanelSection title={t('editor.acting.gaze')} actions={<Remove kind="gaze" {...props} />}>
      {dial('yaw')}
      {dial('pitch')}
      <Range kind="gaze" {...props} />
    </PanelSection>
  );
}

/** @param props.index below 0: a blink of the recording */
export function BlinkPanel(props: PartProps) {
  const { t } = useTranslation('takes');
  const { session, timeline, index } = props;
  const { blinks } = session.shown.use();
  const time = blinks.added[index];
  return (
    <PanelSection
      title={t('editor.acting.blinks')}
      actions={time !== undefined && <Remove kind="blink" {...props} />}
    >
      {time !== undefined && (
        <Line label={t('editor.part.at')}>
          <TimeCell
            timeline={timeline}
            label={t('editor.part.at')}
            value={time}
            digits={2}
            onSet={(at) =>
              applied(
                props,
                'blink',
                trackEdits.blink.moved(session.shown.get(), index, at - time, timeline.seconds),
              )
            }
          />
        </Line>
      )}
      <Switch
        label={t('editor.acting.recordedBlinks')}
        checked={blinks.recorded}
        onChange={({ currentTarget: { checked } }) =>
          session.apply({ kind: 'blinks', blinks: { ...blinks, recorded: checked } })
        }
      />
    </PanelSection>
  );
}

export function CutPanel(props: PartProps) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { session, timeline, index } = props;
  const edits = session.shown.use();
  const part = cutParts(edits, timeline.seconds)[index];
  if (!part) return null;
  const isCut = part.speed === 0;
  return (
    <PanelSection
      title={isCut ? t('editor.part.cut') : t('speed')}
      actions={<Remove kind="cut" {...props} />}
    >
      {isCut ? (
        <CutRange {...props} />
      ) : (
        <>
          <EditDial
            label={t('speed')}
            value={part.speed}
            least={0.25}
            most={4}
            step={0.05}
            digits={2}
            suffix="×"
            onSlide={() => undefined}
            onSet={(speed) =>
              applied(props, 'cut', changedCut(edits, index, { ...part, speed }, timeline.seconds))
            }
          />
          <Range kind="cut" {...props} />
        </>
      )}
      <p className={classes.quiet}>
        {t(isCut ? 'editor.part.cutLength' : 'editor.part.speedLength', {
          length: figures.seconds(part.to - part.from),
        })}
      </p>
    </PanelSection>
  );
}

/** A cut takes no time as the take plays: its ends are moments of the recording. */
function CutRange(props: PartProps) {
  const { t } = useTranslation('takes');
  const { session, timeline, index } = props;
  const part = cutParts(session.shown.use(), timeline.seconds)[index];
  if (!part) return null;
  const cell = (edge: 'from' | 'to') => (
    <NumberCell
      label={t(`editor.part.${edge}`)}
      value={part[edge]}
      digits={2}
      step={1 / timeline.frameRate}
      least={0}
      most={timeline.seconds}
      onSet={(at) =>
        applied(
          props,
          'cut',
          trackEdits.cut.trimmed?.(session.shown.get(), index, edge, at, timeline.seconds),
        )
      }
    />
  );
  return (
    <Line label={t('editor.part.recordedRange')}>
      {cell('from')}
      {cell('to')}
    </Line>
  );
}
