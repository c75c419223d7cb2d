/** The comparison on the stage: a preview of the draft, or an earlier version. */
import { IconColumns2 } from '@tabler/icons-react';
import i18next from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, Model } from '#contract';
import type { Action } from '../../base/actions.ts';
import { offerUndo } from '../../base/notices.tsx';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { keyName } from '../../base/shortcuts/shortcuts.ts';
import { isOpen } from '../../portraits/queue/job-state.ts';
import type { Comparison } from '../../viewer/look/Comparison.tsx';
import { undo } from '../edits.ts';
import { useHeadPreview } from './head-preview.ts';
import { forgetDraft, presentOf, show, toggleShown, useDraft, useShown, versionsOf } from './look-state.ts';

/** Undefined: the head alone. */
export function useComparison(model: Model): Comparison | undefined {
  const { t } = useTranslation('library');
  const { id } = model;
  const draft = useDraft(model);
  const { made, wanted, changed } = draft;
  const preview = useHeadPreview(model, draft);
  const shown = useShown(model);
  const applied = useMemo(() => ({ made, wanted }), [made, wanted]);
  const versions = versionsOf(model);
  const present = presentOf(versions);
  const name = t('headLook.version', { number: present.number });
  const onSplit = (split: number): void => show(id, { split });
  const other = versions.find((version) => version.id !== null && version.id === shown?.before);
  if (other)
    return {
      applied: null,
      beforeUrl: other.model,
      before: t('headLook.version', { number: other.number }),
      after: shown?.isNew ? t('headLook.newVersion', { name }) : name,
      split: shown?.split ?? 0.5,
      onSplit,
    };
  if (changed.length === 0) return undefined;
  return {
    applied,
    afterUrl: preview.url,
    before: name,
    after: t('headLook.preview'),
    split: shown ? shown.split : null,
    onSplit,
  };
}

/** Says that a new version is the head now, and shows it beside the one before. */
export function useMadeNotice(model: Model, job: Job | undefined): void {
  const { id, earlier, version } = model;
  const making = useRef<string>(undefined);
  const t = i18next.getFixedT(null, 'library');
  if (job && isOpen(job)) making.current = job.id;
  const isDone = job?.state === 'done' && making.current === job.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the head has got its new file
  useEffect(() => {
    const before = earlier[0];
    if (!isDone || !before) return;
    making.current = undefined;
    forgetDraft(id);
    const versions = versionsOf(model);
    const old = versions.find((one) => one.id === before.id)?.number ?? 0;
    show(id, { before: before.id, split: 0.5, isNew: true });
    offerUndo(
      'library',
      t('headLook.made', { number: presentOf(versions).number }),
      undo,
      t('headLook.madeText', { number: old, key: keyName('heads.undo') }),
    );
  }, [isDone, version]);
}

export const lookActions: readonly Action<{ model: Model }>[] = [
  {
    ...shortcut('look.compare'),
    icon: IconColumns2,
    run: ({ model }) => toggleShown(model),
  },
];
