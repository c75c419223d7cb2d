import { ActionIcon, Button, Loader, SegmentedControl, Slider, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeadCorrections, Photo } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { correctionBounds } from '#proto/head_corrections.ts';
import { attempt, tell } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { go } from '../../base/route.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { PlaceHeader } from '../../ui/PlaceHeader.tsx';
import { usePageKeys } from '../../ui/place-keys.ts';
import { StateDot } from '../../ui/StateDot.tsx';
import reviewClasses from '../tray/ReviewPage.module.css';
import { Keyed } from '../tray/WordFields.tsx';
import { canRedo, canUndo, draftOf, isEmpty, kept, now, redo, reset, step, thinned, undo } from './draft.ts';
import classes from './OutlineEditor.module.css';
import { OutlineStage } from './OutlineStage.tsx';
import { useOutline } from './use-outline.ts';

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
      <PlaceHeader title={t('outline.correct')}>
        <Button variant="default" onClick={leave}>
          {t('review.back')}
        </Button>
      </PlaceHeader>
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

function Editing({ photo }: { photo: Photo }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const [draft, setDraft] = useState(() => draftOf(photo.corrections));
  /** While the slider moves; a step only when it is let go. */
  const [crown, setCrown] = useState<number>();
  const [kind, setKind] = useState<'hair' | 'background'>('hair');
  const [radius, setRadius] = useState(brushSizes.first);
  const [leaving, setLeaving] = useState(false);
  const corrections = now(draft);
  const { outline, tracing, failure } = useOutline(photo.id, corrections);
  const others = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => !builtIn && groupBUrl !== '');
  const changed = JSON.stringify(kept(corrections)) !== JSON.stringify(photo.corrections);

  const change = (changes: Partial<HeadCorrections>): void => setDraft((before) => step(before, changes));
  const resize = (by: number): void =>
    setRadius((before) => Math.min(brushSizes.most, Math.max(brushSizes.least, before * by)));
  const close = (): void => (changed ? setLeaving(true) : leave());
  const keep = async (): Promise<void> => {
    if (changed)
      await studio.batch.tag({ selection: { ids: [photo.id] }, set: { corrections: kept(corrections) } });
  };
  const keepAndMake = async (): Promise<void> => {
    await keep();
    const { queued, left } = await studio.batch.start({
      selection: { ids: [photo.id] },
      profileId: builtInProfileId,
      again: false,
    });
    if (queued > 0) {
      tell({ level: 'success', title: t('start.queued', { count: queued }), text: '' });
      go('portraits', 'queue');
      return;
    }
    const text = left.map(({ reason, count }) => t(`start.left.${reason}`, { count })).join(' · ');
    tell({ level: 'warning', title: text, text: '' });
  };

  usePageKeys((event, command) =>
    command
      ? [
          ['z', () => setDraft(event.shiftKey ? redo : undo)],
          ['y', () => setDraft(redo)],
          ['s', () => attempt(() => keep().then(leave))],
        ]
      : [
          ['h', () => setKind('hair')],
          ['b', () => setKind('background')],
          ['[', () => resize(1 / 1.25)],
          [']', () => resize(1.25)],
          ['escape', close],
        ],
  );

  const percent = (value: number): string => `${value > 0 ? '+' : ''}${figures.number(value * 100)} %`;
  const shownCrown = crown ?? corrections.crown;
  return (
    <>
      <PlaceHeader title={t('outline.title', { name: photo.name || photo.fileName })}>
        <Tooltip label={`${t('outline.undo')}  Ctrl Z`}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('outline.undo')}
            disabled={!canUndo(draft)}
            onClick={() => setDraft(undo)}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={`${t('outline.redo')}  Ctrl Shift Z`}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('outline.redo')}
            disabled={!canRedo(draft)}
            onClick={() => setDraft(redo)}
          >
            <IconArrowForwardUp size={16} />
          </ActionIcon>
        </Tooltip>
        <Button variant="default" disabled={isEmpty(corrections)} onClick={() => setDraft(reset)}>
          {t('outline.reset')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('app:actions.cancel')}
        </Button>
        <Tooltip label={t('outline.needsSex')} disabled={photo.sex !== null}>
          <Button
            variant="default"
            leftSection={<IconPlayerPlayFilled size={13} />}
            {...(photo.sex === null ? { 'data-disabled': true, 'aria-disabled': true } : {})}
            onClick={() => photo.sex !== null && attempt(keepAndMake)}
          >
            {t('outline.keepAndMake')}
          </Button>
        </Tooltip>
        <Button onClick={() => attempt(() => keep().then(leave))}>{t('outline.keep')}</Button>
      </PlaceHeader>
      <div className={reviewClasses.columns}>
        <section className={classes.stage} aria-label={t('outline.photo')}>
          <OutlineStage
            photo={photo}
            outline={outline}
            strokes={corrections.strokes}
            brush={{ kind, radius }}
            onStroke={(stroke) => change({ strokes: [...corrections.strokes, thinned(stroke)] })}
          />
        </section>
        <aside className={classes.tools} aria-label={t('outline.brush')}>
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
          <div>
            <p className={classes.label}>{t('outline.brush')}</p>
            <SegmentedControl
              fullWidth
              aria-label={t('outline.brush')}
              value={kind}
              data={[
                { value: 'hair' as const, label: <Keyed label={t('outline.hair')} letter="H" /> },
                { value: 'background' as const, label: <Keyed label={t('outline.background')} letter="B" /> },
              ]}
              onChange={setKind}
            />
          </div>
          <div>
            <p className={classes.label}>
              <span>
                {t('outline.size')} <kbd className={classes.key}>[ ]</kbd>
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
              onChange={setRadius}
            />
          </div>
          <div>
            <p className={classes.label}>
              {t('outline.crown')}
              <span className={classes.value}>
                {t('outline.crownValue', { percent: percent(shownCrown) })}
              </span>
            </p>
            <Slider
              min={crownRange.least}
              max={crownRange.most}
              step={0.01}
              label={null}
              thumbLabel={t('outline.crown')}
              value={shownCrown}
              onChange={setCrown}
              onChangeEnd={(value) => {
                setCrown(undefined);
                if (value !== corrections.crown) change({ crown: value });
              }}
            />
          </div>
          <p className={reviewClasses.quiet}>{t('outline.hint')}</p>
          <p className={reviewClasses.quiet}>
            {t('outline.builtInOnly')}{' '}
            {others.length > 0 &&
              t('outline.others', { count: others.length, names: others.map(({ name }) => name).join(', ') })}
          </p>
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
