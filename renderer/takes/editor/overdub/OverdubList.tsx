import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconCheck, IconPlayerPlayFilled, IconPlayerStopFilled, IconTrash } from '@tabler/icons-react';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, Take, TakeOverdub } from '#contract';
import { attempt } from '../../../base/notices.tsx';
import { studio } from '../../../base/studio.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import { inTake, takesHistory } from '../../takes-history.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { NumberCell } from '../panels/NumberCell.tsx';
import classes from '../panels/panels.module.css';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import tryClasses from './overdub.module.css';
import type { TryPlayer } from './overdub-player.ts';
import { overdubSettings } from './overdub-settings.ts';
import { coveredBy, setOverdubs, tryOperations, withoutTry } from './take-overdubs.ts';

interface TryListProps {
  take: Take;
  overdubs: readonly TakeOverdub[];
  session: EditSession;
  timeline: TimelineState;
  player: TryPlayer;
}

/** The take's tries, the newest first: to hear, to use in a stretch, to name, to move, to put away. */
export function OverdubList(props: TryListProps) {
  const { t } = useTranslation('takes');
  const { overdubs } = props;
  return (
    <section aria-label={t('editor.overdub.list')}>
      <h2 className={classes.title}>{t('editor.overdub.list')}</h2>
      {overdubs.length === 0 && <p className={classes.quiet}>{t('editor.overdub.none')}</p>}
      {overdubs.toReversed().map((tried) => (
        <TryRow key={tried.id} tried={tried} {...props} />
      ))}
    </section>
  );
}

function TryRow({ take, tried, session, timeline, player }: TryListProps & { tried: TakeOverdub }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const isHeard = player.heard.use() === tried.id;
  const { name, regions, seconds, createdAt, startsAt, recovered } = tried;
  const change = (changes: OverdubChanges): void => attempt(() => changeTry(take.id, tried, changes));
  const layers =
    regions.length === faceRegions.length
      ? t('editor.overdub.all')
      : regions.map((region) => t(`editor.regions.${region}`)).join(', ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: several fields of one try, no form
    <div role="group" aria-label={name} className={tryClasses.try}>
      <div className={tryClasses.line}>
        <NameField name={name} onSet={(next) => change({ name: next })} />
        <Tooltip label={isHeard ? t('pause') : t('editor.overdub.hear')}>
          <ActionIcon
            size={26}
            aria-label={isHeard ? t('pause') : t('editor.overdub.hearOf', { name })}
            aria-pressed={isHeard}
            onClick={() => player.toggle(tried)}
          >
            {isHeard ? <IconPlayerStopFilled size={14} /> : <IconPlayerPlayFilled size={14} />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('editor.overdub.use')}>
          <ActionIcon
            size={26}
            aria-label={t('editor.overdub.useOf', { name })}
            onClick={() => takeHere(tried, session, timeline)}
          >
            <IconCheck size={15} />
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          size={26}
          aria-label={t('editor.overdub.trashOf', { name })}
          onClick={() => {
            player.stop();
            attempt(() => trashTry(take.id, tried, session));
          }}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
      <div className={tryClasses.line}>
        <span className={`${classes.quiet} ${tryClasses.grow}`}>
          {[layers, figures.seconds(seconds), figures.dateTime(createdAt)].join(' · ')}
          {recovered && ` · ${t('recovered')}`}
        </span>
        <NumberCell
          label={t('editor.overdub.beginsOf', { name })}
          value={startsAt}
          digits={3}
          step={0.01}
          least={-60}
          most={take.seconds}
          onSet={(next) => change({ startsAt: next })}
        />
      </div>
    </div>
  );
}

function NameField({ name, onSet }: { name: string; onSet: (name: string) => void }) {
  const { t } = useTranslation('takes');
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <TextInput
      className={tryClasses.grow ?? ''}
      aria-label={t('editor.overdub.nameOf', { name })}
      maxLength={120}
      value={draft ?? name}
      onChange={({ currentTarget: { value } }) => setDraft(value)}
      onBlur={() => {
        const next = draft?.trim();
        if (next && next !== name) onSet(next);
        setDraft(null);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
      }}
    />
  );
}

/** Uses an overdub's armed regions in the selection, or in its whole range. */
function takeHere(tried: TakeOverdub, session: EditSession, timeline: TimelineState): void {
  const covered = coveredBy(tried, timeline.seconds);
  const chosen: TimeRange = timeline.selection.get() ?? covered;
  const range = { from: Math.max(chosen.from, covered.from), to: Math.min(chosen.to, covered.to) };
  session.apply(...tryOperations(overdubSettings().armed, range, tried.id, session.shown.get()));
}

type OverdubChanges = CallInput<'takeEdits', 'changeOverdub'>['changes'];

async function changeTry(take: string, tried: TakeOverdub, changes: OverdubChanges): Promise<void> {
  const set = async (changed: OverdubChanges): Promise<void> =>
    setOverdubs(
      take,
      await studio.takeEdits.changeOverdub({ id: take, attempt: tried.id, changes: changed }),
    );
  await set(changes);
  const label = i18next.t(
    changes.name === undefined ? 'takes:done.overdubMoved' : 'takes:done.overdubRenamed',
  );
  const { name, startsAt } = tried;
  const before = changes.name === undefined ? { startsAt } : { name };
  takesHistory.record(inTake(take, { label, undo: () => set(before), redo: () => set(changes) }));
}

/** Into the trash; what was taken from it is the recording's again. */
async function trashTry(take: string, tried: TakeOverdub, session: EditSession): Promise<void> {
  const trash = async (): Promise<boolean> => {
    const operations = withoutTry(session.shown.get(), tried.id);
    const wasInUse = operations.length > 0 && (await session.applyPart(...operations));
    setOverdubs(take, await studio.takeEdits.trashOverdub({ id: take, attempt: tried.id }));
    return wasInUse;
  };
  let wasUsed = await trash();
  const action = {
    label: i18next.t('takes:done.overdubTrashed'),
    async undo() {
      await studio.takes.restore({ id: tried.id });
      setOverdubs(take, await studio.takeEdits.overdubs({ id: take }));
      if (wasUsed) await session.undo();
    },
    async redo() {
      wasUsed = await trash();
    },
  };
  takesHistory.offer(i18next.t('takes:trashed', { name: tried.name }), inTake(take, action));
}
