/** All shortcuts in their groups, with the keys that apply now. */
import { useTranslation } from 'react-i18next';
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { useActionWords } from '../../base/actions.ts';
import {
  type ShortcutGroup,
  shortcutGroups,
  shortcutTable,
  type WordsKey,
} from '../../base/shortcuts/shortcut-table.ts';
import { useKeysOf } from '../../base/shortcuts/shortcuts.ts';
import { changeSettingsBy } from '../../base/studio-queries.ts';
import { actionWords, keyOf, tableKeyOf } from '../../live/live-keys.ts';
import { changeLive, liveSettings, plainKeys, useLiveSettings } from '../../live/live-settings.ts';

export interface ShortcutRow {
  readonly id: string;
  readonly group: ShortcutGroup;
  readonly name: string;
  /** As tables of actions write them. */
  readonly keys: readonly string[];
  readonly defaults: readonly string[];
  readonly isFixed: boolean;
  /** Live's keys are single keys, as they also work in the head’s own window. */
  readonly isPlain: boolean;
}

export interface ShortcutRows {
  readonly group: ShortcutGroup;
  readonly title: WordsKey;
  readonly rows: readonly ShortcutRow[];
}

const titles: Record<ShortcutGroup, WordsKey> = {
  anywhere: 'shortcuts.anywhere',
  portraits: 'pages.portraits',
  review: 'portraits:review.title',
  outline: 'portraits:outline.editor',
  library: 'pages.library',
  viewer: 'shortcuts.viewer',
  live: 'pages.live',
  takes: 'pages.takes',
};

const livePrefix = 'live.';
const listed = (key: string): readonly string[] => (key === '' ? [] : [tableKeyOf(key)]);

export function useShortcutList(): readonly ShortcutRows[] {
  const { t } = useTranslation(['live', 'viewer']);
  const { nameOf } = useActionWords();
  const keysOf = useKeysOf();
  const live = useLiveSettings().keys;
  const rows: ShortcutRow[] = [
    ...Object.entries(shortcutTable).map(([id, { group, words, of, keys, isFixed = false }]) => ({
      id,
      group,
      name: nameOf({ words, ...(of && { of }) }),
      keys: isFixed ? keys : keysOf({ id, keys }),
      defaults: keys,
      isFixed,
      isPlain: false,
    })),
    ...liveActions.map((action) => ({
      id: `${livePrefix}${action}`,
      group: 'live' as const,
      name: t(actionWords(action)),
      keys: listed(live[action]),
      defaults: listed(plainKeys[action]),
      isFixed: false,
      isPlain: true,
    })),
  ];
  return shortcutGroups.map((group) => ({
    group,
    title: titles[group],
    rows: rows.filter((row) => row.group === group),
  }));
}

/** Groups whose actions are available together. */
const pageOf: Record<ShortcutGroup, string> = {
  anywhere: 'anywhere',
  portraits: 'portraits',
  review: 'portraits',
  outline: 'outline',
  library: 'library',
  viewer: 'library',
  live: 'live',
  takes: 'takes',
};
const meet = (one: ShortcutGroup, other: ShortcutGroup): boolean =>
  one === 'anywhere' || other === 'anywhere' || pageOf[one] === pageOf[other];
/** The same key, or one begins a sequence with the other. */
const clash = (one: string, other: string): boolean =>
  one === other ||
  (one !== ' ' && other.startsWith(`${one} `)) ||
  (other !== ' ' && one.startsWith(`${other} `));

/**
 * The other shortcuts that a key would also start. Those that share it by default may: only one of them is
 * possible at a time.
 */
export function conflictsOf(groups: readonly ShortcutRows[], row: ShortcutRow, key: string): ShortcutRow[] {
  return groups.flatMap(({ rows }) =>
    rows.filter(
      (other) =>
        other.id !== row.id &&
        meet(other.group, row.group) &&
        other.keys.some((its) => clash(its, key)) &&
        !(row.defaults.includes(key) && other.defaults.includes(key)),
    ),
  );
}

/** Keys that lists, fields and dialogs need, and those that edit text everywhere. */
const reserved = [
  'Tab',
  'Enter',
  'Escape',
  ' ',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Ctrl+A',
  'Ctrl+C',
  'Ctrl+V',
  'Ctrl+X',
  'Ctrl+Y',
  'Ctrl+Z',
  'Ctrl+Shift+Z',
];

export const hasModifier = (key: string): boolean => /^(?:Ctrl|Alt|Shift)\+./.test(key);

/** Whether a shortcut can have this key at all. */
export const canHave = (row: ShortcutRow, key: string): boolean =>
  row.defaults.includes(key) || (!reserved.includes(key) && !(row.isPlain && hasModifier(key)));

/** Sets the keys of shortcuts; null: their defaults. */
export async function setKeys(
  changes: readonly (readonly [ShortcutRow, readonly string[] | null])[],
): Promise<void> {
  const ofLive = changes.filter(([{ isPlain }]) => isPlain);
  if (ofLive.length > 0)
    changeLive({
      keys: {
        ...liveSettings().keys,
        ...Object.fromEntries(
          ofLive.map(([{ id, defaults }, keys]) => [
            id.slice(livePrefix.length),
            keyOf({ key: (keys ?? defaults)[0] ?? '' }),
          ]),
        ),
      } as Record<LiveAction, string>,
    });
  const others = changes.filter(([{ isPlain }]) => !isPlain);
  if (others.length > 0)
    await changeSettingsBy(({ shortcuts }) => {
      const kept = { ...shortcuts };
      for (const [{ id }, keys] of others)
        if (keys) kept[id] = [...keys];
        else delete kept[id];
      return { shortcuts: kept };
    });
}

export const isChanged = ({ keys, defaults }: ShortcutRow): boolean =>
  keys.join('\n') !== defaults.join('\n');
