/** Drafts of a head’s look, its versions, and the job that makes the next one. */
import { chosenOptions, type HeadOptions, headOptionNames } from '@likeness/proto/heads/head_options.ts';
import i18next from 'i18next';
import type { Job, Model } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { go, parseRoute } from '../../base/route.ts';
import { createStore } from '../../base/store.ts';
import { useFollowedJob } from '../../portraits/queue/followed-job.ts';
import { openStates } from '../../portraits/queue/job-state.ts';
import { allOptions } from '../../viewer/look/can-preview.ts';
import { libraryHistory } from '../edits.ts';

/** Unmade changes by the head’s id. They are kept while the user visits other heads. */
const drafts = createStore<Readonly<Record<string, HeadOptions>>>({});

export interface LookDraft {
  made: HeadOptions;
  wanted: HeadOptions;
  /** Names of the options that differ. */
  changed: readonly (keyof HeadOptions)[];
}

export function useDraft({ id, options }: Model): LookDraft {
  const draft = drafts.use((now) => now[id]);
  const made = options ?? {};
  const wanted = draft ?? made;
  return { made, wanted, changed: changedBetween(made, wanted) };
}

/** Names of the options that differ. */
export function changedBetween(one: HeadOptions, other: HeadOptions): (keyof HeadOptions)[] {
  const [before, after] = [allOptions(one), allOptions(other)];
  return headOptionNames.filter((name) => before[name] !== after[name]);
}

/** @param draft - Undefined: none. */
function setDraft(id: string, draft: HeadOptions | undefined): void {
  const { [id]: _, ...others } = drafts.get();
  drafts.set(draft ? { ...others, [id]: draft } : others);
}

/** The recorded step that further changes belong to: a slider is dragged. */
let ongoing: { id: string; after: HeadOptions | undefined } | undefined;

/** The next change is a step of its own. */
export function endChange(): void {
  ongoing = undefined;
}

/** Changes the draft. All changes until `endChange` are one undo step. */
export function changeDraft(model: Model, wanted: HeadOptions): void {
  const { id, options } = model;
  const draft = chosenOptions(wanted) ?? {};
  const previous = drafts.get()[id];
  const before = previous ?? options ?? {};
  setDraft(id, draft);
  if (ongoing?.id === id) {
    ongoing.after = draft;
    return;
  }
  const changed = changedBetween(before, draft);
  if (changed.length > 0) recordStep(model, labelOf(changed, before, draft), previous);
}

export function discardDraft(model: Model): void {
  const before = drafts.get()[model.id];
  setDraft(model.id, undefined);
  endChange();
  recordStep(model, i18next.t('library:headLook.discarded'), before);
  endChange();
}

/** The draft was made, or its head erased: its steps no longer apply. */
export function forgetDraft(id: string): void {
  setDraft(id, undefined);
  endChange();
  libraryHistory.forgetAll(id);
}

function recordStep({ id }: Model, label: string, before: HeadOptions | undefined): void {
  const step = { id, after: drafts.get()[id] };
  const restore = (draft: HeadOptions | undefined): void => {
    endChange();
    if (parseRoute(window.location.hash).rest[1] !== id) go('library', 'model', id);
    setDraft(id, draft);
  };
  ongoing = step;
  libraryHistory.record(
    { label, undo: async () => restore(before), redo: async () => restore(step.after) },
    id,
  );
}

function labelOf([name]: readonly (keyof HeadOptions)[], before: HeadOptions, after: HeadOptions): string {
  const t = i18next.getFixedT(null, 'library');
  // The shirt comes and goes with the shoulders.
  const key = name === 'bust' && (!before.bust || !after.bust) ? 'below' : (name ?? 'hair');
  return t('headLook.optionChanged', { name: t(`choices.${key}`) });
}

export interface Version {
  /** Id of the earlier file; null: the one that the head has now. */
  id: string | null;
  number: number;
  model: string;
  thumbnail: string;
  madeAt: number;
  options: HeadOptions | null;
}

/** The present file and the earlier ones, newest first. */
export function versionsOf({ id, version, madeAt, options, earlier }: Model): Version[] {
  const files = [
    {
      id: null,
      model: `${assetUrl(id, 'model')}?v=${version}`,
      thumbnail: `${assetUrl(id, 'thumbnail')}?v=${version}`,
      madeAt,
      options,
    },
    ...earlier.map((file) => ({
      id: file.id,
      model: assetUrl(`${id}.${file.id}`, 'earlier-model'),
      thumbnail: assetUrl(`${id}.${file.id}`, 'earlier-thumbnail'),
      madeAt: file.madeAt,
      options: file.options,
    })),
  ].sort((a, b) => b.madeAt - a.madeAt);
  return files.map((file, at) => ({ ...file, number: files.length - at }));
}

export const presentOf = (versions: readonly Version[]): Version =>
  versions.find(({ id }) => id === null) ?? versions[0]!;

/** Left of the line: the version with this id. By the head’s id; closed where there is none. */
interface Shown {
  /** Null: the present file beside the preview. */
  before: string | null;
  split: number;
  /** The head was made just now. */
  isNew: boolean;
}
const shown = createStore<Readonly<Record<string, Shown>>>({});
/** Closed if its version is gone, or is the head now: that was undone. */
const shownOf = ({ id, earlier }: Model, all = shown.get()): Shown | undefined => {
  const one = all[id];
  return one && (one.before === null || earlier.some((file) => file.id === one.before)) ? one : undefined;
};
export const useShown = (model: Model): Shown | undefined => shown.use((now) => shownOf(model, now));
export function show(id: string, changes: Partial<Shown>): void {
  const before = shown.get()[id] ?? { before: null, split: 0.5, isNew: false };
  shown.set({ ...shown.get(), [id]: { ...before, ...changes } });
}
export function hideShown(id: string): void {
  const { [id]: _, ...others } = shown.get();
  shown.set(others);
}

/** Opens the comparison (with the draft, else with an earlier file), or closes it. */
export function toggleShown(model: Model): void {
  const { id, earlier } = model;
  if (shownOf(model)) hideShown(id);
  else show(id, { before: drafts.get()[id] ? null : (earlier[0]?.id ?? null), isNew: false });
}

/** The job that makes this head again: open, or the last one that failed; undefined: none. */
export const useMaking = (id: string): { job: Job | undefined; forget: () => void } =>
  useFollowedJob(openStates, id, ({ replaces }) => replaces === id);
