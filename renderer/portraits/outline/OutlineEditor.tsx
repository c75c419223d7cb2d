import { correctionBounds } from '@likeness/proto/heads/head_corrections.ts';
import { ActionIcon, Button, Loader, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeadCorrections, Photo } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { type Action, useActions } from '../../base/actions.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePageKeys } from '../../ui/page-keys.ts';
import { StateDot } from '../../ui/StateDot.tsx';
import reviewClasses from '../tray/ReviewPage.module.css';
import { tagged } from '../tray/tagging.ts';
import { Keyed } from '../tray/WordFields.tsx';
import { canRedo, canUndo, draftOf, isEmpty, kept, now, redo, reset, step, thinned, undo } from './draft.ts';
import classes from './OutlineEditor.module.css';
import { OutlineStage } from './OutlineStage.tsx';
import { type Traced, useOutline } from './use-outline.ts';

/** Radius of the brush, in parts of the photo's width. */
const brushSizes = { least: 0.002, most: 0.12, first: 0.025 };
/** A head takes as much downwards too, but from a fifth on the hair only sinks into the skull. */
const crownRange = { least: -0.2, most: correctionBounds.crown };

/** The outline of head and hair on one photo, to look at and to set right. */
export function OutlineEditor({ photoId }: { photoId: string }) {
  const { t } = useTranslation('portraits');
  const query = useQuery({
    queryKey: ['batch', 'photo', photoId],
    queryFn: () => studio.batch.photo({ id: photoId }),
    staleTime: 0,
    gcTime: 0,
  });
  if (query.data) return <Editing key={photoId} photo={query.data} />;
  return (
    <>
      <PageHeader title={t('outline.correct')}>
        <Button variant="default" onClick={leave}>
          {t('review.back')}
        </Button>
      </PageHeader>
      {query.error && (
        <div className={classes.failure}>
          <Callout tone="bad" title={asFailure(query.error).message}>
            {asFailure(query.error).hint}
          </Callout>
        </div>
      )}
    </>
  );
}

const leave = (): void => go('portraits');

/** Strokes on a photo, and saving them; main receives nothing before. */
function useCorrections(photo: Photo) {
  const { t } = useTranslation('portraits');
  const [draft, setDraft] = useState(() => draftOf(photo.corrections));
  const corrections = now(draft);
  const changed = JSON.stringify(kept(corrections)) !== JSON.stringify(photo.corrections);
  const save = async (): Promise<void> => {
    if (changed) await tagged({ ids: [photo.id] }, { corrections: kept(corrections) });
  };
  const saveAndMake = async (): Promise<void> => {
    await save();
    const { queued, left } = await studio.batch.start({
      selection: { ids: [photo.id] },
      profileId: builtInProfileId,
      again: false,
    });
    if (queued > 0) {
      notify({ level: 'success', title: t('start.queued', { count: queued }), text: '' });
      go('portraits');
      return;
    }
    const text = left.map(({ reason, count }) => t(`start.left.${reason}`, { count })).join(' · ');
    notify({ level: 'warning', title: text, text: '' });
  };
  return {
    corrections,
    changed,
    canUndo: canUndo(draft),
    canRedo: canRedo(draft),
    change: (changes: Partial<HeadCorrections>): void => setDraft((before) => step(before, changes)),
    undo: () => setDraft(undo),
    redo: () => setDraft(redo),
    reset: () => setDraft(reset),
    keep: () => attempt(() => save().then(leave)),
    keepAndMake: () => attempt(saveAndMake),
  };
}

type Corrections = ReturnType<typeof useCorrections>;

function useBrush() {
  const [kind, setKind] = useState<'hair' | 'background'>('hair');
  const [radius, setRadius] = useState(brushSizes.first);
  const resize = (by: number): void =>
    setRadius((before) => Math.min(brushSizes.most, Math.max(brushSizes.least, before * by)));
  return { kind, radius, setKind, setRadius, resize };
}

type Brush = ReturnType<typeof useBrush>;

const editorActions: readonly Action<{ edits: Corrections; brush: Brush }>[] = [
  { ...shortcut('outline.hair'), run: ({ brush }) => brush.setKind('hair') },
  { ...shortcut('outline.background'), run: ({ brush }) => brush.setKind('background') },
  { ...shortcut('outline.smaller'), repeats: true, run: ({ brush }) => brush.resize(1 / 1.25) },
  { ...shortcut('outline.larger'), repeats: true, run: ({ brush }) => brush.resize(1.25) },
  {
    ...shortcut('outline.undo'),
    repeats: true,
    applies: ({ edits }) => edits.canUndo,
    run: ({ edits }) => edits.undo(),
  },
  {
    ...shortcut('outline.redo'),
    repeats: true,
    applies: ({ edits }) => edits.canRedo,
    run: ({ edits }) => edits.redo(),
  },
  { ...shortcut('outline.keep'), run: ({ edits }) => edits.keep() },
];

function Editing({ photo }: { photo: Photo }) {
  const { t } = useTranslation('portraits');
  const edits = useCorrections(photo);
  const { corrections, change } = edits;
  const brush = useBrush();
  const traced = useOutline(photo.id, corrections);
  const [leaving, setLeaving] = useState(false);
  const close = (): void => (edits.changed ? setLeaving(true) : leave());

  useActions('portraits:outline.editor', editorActions, { edits, brush });
  usePageKeys((_event, command) => (command ? [] : [['escape', close]]));

  return (
    <>
      <PageHeader title={t('outline.title', { name: photo.name || photo.fileName })}>
        <EditButtons photo={photo} edits={edits} onCancel={close} />
      </PageHeader>
      <div className={reviewClasses.columns}>
        <section className={classes.stage} aria-label={t('outline.photo')}>
          <OutlineStage
            photo={photo}
            outline={traced.outline}
            strokes={corrections.strokes}
            brush={{ kind: brush.kind, radius: brush.radius }}
            onStroke={(stroke) => change({ strokes: [...corrections.strokes, thinned(stroke)] })}
          />
        </section>
        <aside className={classes.tools} aria-label={t('outline.brush')}>
          <Score traced={traced} />
          <BrushFields brush={brush} photo={photo} />
          <CrownField crown={corrections.crown} onChange={(crown) => change({ crown })} />
          <p className={reviewClasses.quiet}>{t('outline.hint')}</p>
          <BuiltInOnly />
        </aside>
      </div>
      <Confirm
        opened={leaving}
        title={t('outline.leaveTitle')}
        text={t('outline.leaveText')}
        action={t('outline.leave')}
        onConfirm={async () => leave()}
        onClose={() => setLeaving(false)}
      />
    </>
  );
}

function EditButtons(props: { photo: Photo; edits: Corrections; onCancel: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  const { photo, edits } = props;
  const key = useKeyNames();
  return (
    <>
      <StepButton
        label={t('outline.undo')}
        keys={key('outline.undo')}
        enabled={edits.canUndo}
        onClick={edits.undo}
      >
        <IconArrowBackUp size={16} />
      </StepButton>
      <StepButton
        label={t('outline.redo')}
        keys={key('outline.redo')}
        enabled={edits.canRedo}
        onClick={edits.redo}
      >
        <IconArrowForwardUp size={16} />
      </StepButton>
      <Button variant="default" disabled={isEmpty(edits.corrections)} onClick={edits.reset}>
        {t('outline.reset')}
      </Button>
      <Button variant="default" onClick={props.onCancel}>
        {t('app:actions.cancel')}
      </Button>
      <Tooltip label={t('outline.needsSex')} disabled={photo.sex !== null}>
        <Button
          variant="default"
          leftSection={<IconPlayerPlayFilled size={13} />}
          {...(photo.sex === null ? { 'data-disabled': true, 'aria-disabled': true } : {})}
          onClick={() => photo.sex !== null && edits.keepAndMake()}
        >
          {t('outline.keepAndMake')}
        </Button>
      </Tooltip>
      <Button onClick={edits.keep}>{t('outline.keep')}</Button>
    </>
  );
}

function StepButton(props: {
  label: string;
  keys: string;
  enabled: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={withKey(props.label, props.keys)}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={props.label}
        disabled={!props.enabled}
        onClick={props.onClick}
      >
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

/** How sure the engine is of the outline that it found. */
function Score({ traced: { outline, tracing, failure } }: { traced: Traced }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  return (
    <div className={classes.score} role="status">
      {failure ? (
        <Callout tone="bad" title={failure.message}>
          {failure.hint}
        </Callout>
      ) : outline ? (
        <>
          <p className={classes.verdict}>
            <StateDot tone={outline.sure ? 'good' : 'warn'} />{' '}
            {outline.sure ? t('outline.sure') : t('outline.unsure')}
            {tracing && <Loader size={12} color="gray" />}
          </p>
          <p className={reviewClasses.quiet}>
            {t('outline.score', { score: figures.number(outline.score, 2) })}
          </p>
        </>
      ) : (
        <p className={classes.verdict}>
          <Loader size={12} color="gray" /> {t('outline.tracing')}
        </p>
      )}
    </div>
  );
}

/** Type and size of the brush. */
function BrushFields({ brush, photo }: { brush: Brush; photo: Photo }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const { kind, radius } = brush;
  const key = useKeyNames();
  return (
    <>
      <div>
        <p className={classes.label}>{t('outline.brush')}</p>
        <SegmentedControl
          fullWidth
          aria-label={t('outline.brush')}
          value={kind}
          data={[
            {
              value: 'hair' as const,
              label: <Keyed label={t('outline.hair')} letter={key('outline.hair')} />,
            },
            {
              value: 'background' as const,
              label: <Keyed label={t('outline.background')} letter={key('outline.background')} />,
            },
          ]}
          onChange={brush.setKind}
        />
      </div>
      <div>
        <p className={classes.label}>
          <span>
            {t('outline.size')}{' '}
            <kbd className={classes.key}>
              {key('outline.smaller')} {key('outline.larger')}
            </kbd>
          </span>
          {photo.width > 0 && (
            <span className={classes.value}>
              {t('outline.sizeValue', { pixels: figures.number(Math.round(radius * 2 * photo.width)) })}
            </span>
          )}
        </p>
        <Slider
          min={brushSizes.least}
          max={brushSizes.most}
          step={0.001}
          label={null}
          thumbLabel={t('outline.size')}
          value={radius}
          onChange={brush.setRadius}
        />
      </div>
    </>
  );
}

/** Height of the hair. It changes when the slider is released, since each change is an undo step. */
function CrownField({ crown, onChange }: { crown: number; onChange: (crown: number) => void }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const [moving, setMoving] = useState<number>();
  const shown = moving ?? crown;
  const percent = `${shown > 0 ? '+' : ''}${figures.number(shown * 100)} %`;
  return (
    <div>
      <p className={classes.label}>
        {t('outline.crown')}
        <span className={classes.value}>{t('outline.crownValue', { percent })}</span>
      </p>
      <Slider
        min={crownRange.least}
        max={crownRange.most}
        step={0.01}
        label={null}
        thumbLabel={t('outline.crown')}
        value={shown}
        onChange={setMoving}
        onChangeEnd={(value) => {
          setMoving(undefined);
          if (value !== crown) onChange(value);
        }}
      />
    </div>
  );
}

/** Whom the corrections serve: other connections never learn of them. */
function BuiltInOnly() {
  const { t } = useTranslation('portraits');
  const others = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => !builtIn && groupBUrl !== '');
  return (
    <p className={reviewClasses.quiet}>
      {t('outline.builtInOnly')}{' '}
      {others.length > 0 &&
        t('outline.others', { count: others.length, names: others.map(({ name }) => name).join(', ') })}
    </p>
  );
}
