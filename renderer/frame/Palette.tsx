import { Kbd } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import {
  IconFolder,
  IconMovie,
  IconPlugConnected,
  IconSearch,
  IconStar,
  IconTag,
  IconTestPipe,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { type Action, canRun, type Offer, offersNow, useActionWords } from '../base/actions.ts';
import { assetUrl } from '../base/asset-url.ts';
import { attempt } from '../base/notices.tsx';
import { paletteStore } from '../base/overlays.ts';
import type { WordsKey } from '../base/shortcuts/shortcut-table.ts';
import { keysOf, printKey } from '../base/shortcuts/shortcuts.ts';
import { studio } from '../base/studio.ts';
import { useAppInfo, useProfiles } from '../base/studio-queries.ts';
import { profileName } from '../base/text/profile-name.ts';
import { searchAfresh } from '../library/model-list.ts';
import { type FrameAt, frameActions, goActions, leaveFor, lookActions } from './frame-actions.ts';
import classes from './Palette.module.css';

const icon = { size: 18, stroke: 1.6 } as const;

interface Entry {
  id: string;
  label: string;
  /** Also found by. */
  more?: string;
  note?: string | undefined;
  picture?: ReactNode;
  keys?: readonly string[] | undefined;
  run: () => void;
}
interface Group {
  title: string;
  entries: Entry[];
}

/** Milliseconds after a key before the palette queries main: it waits for a pause in typing. */
const pause = 120;
/** Found things of a kind that are shown. */
const maxFound = 6;

/**
 * Goes anywhere, does anything that can be done now, and finds heads,
 * takes, collections and tags by their names.
 */
export function Palette({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [opened, setOpened] = useState(0);
  return (
    <Spotlight.Root
      store={paletteStore}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      query={text}
      onQueryChange={setText}
      onSpotlightOpen={() => setOpened((times) => times + 1)}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={560}
      radius="lg"
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={18} stroke={1.6} />}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.open')}
        size="md"
      />
      <Entries key={opened} text={text} onShortcuts={onShortcuts} />
    </Spotlight.Root>
  );
}

/** The palette's entries, built when it opens so that they match the current state. */
function Entries({ text, onShortcuts }: { text: string; onShortcuts: () => void }) {
  const { t } = useTranslation();
  const { labelOf, nameOf } = useActionWords();
  const connections = useConnections();
  const shell = useAppInfo().data?.shell;
  const { groups: found, isSettled } = useFound(text.trim());
  const { actions, pages } = useMemo(() => {
    const at: FrameAt = { shortcuts: onShortcuts, shell };
    // The page's own before those of a part of it, which came later; parts that share a title are one group.
    const offered = new Map<WordsKey, ReturnType<Offer['actions']>[number][]>();
    for (const { title, actions } of offersNow().toReversed())
      offered.set(title, [...(offered.get(title) ?? []), ...actions()]);
    const isOffered = new Set([...offered.values()].flatMap((actions) => actions.map(({ id }) => id)));
    const of = (title: string, table: readonly Action<FrameAt>[]): Group => ({
      title,
      entries: table
        .filter((action) => canRun(action, at) && !isOffered.has(action.id))
        .map((action) => ({ ...entryOf(action, nameOf), run: () => action.run(at) })),
    });
    const actions: Group[] = [
      ...[...offered].map(([title, actions]) => ({
        title: labelOf(title),
        entries: actions.map((action) => ({ ...entryOf(action, nameOf), run: action.start })),
      })),
      of(t('palette.do'), frameActions),
      of(t('palette.appearance'), lookActions),
      { title: t('palette.connections'), entries: connections },
    ];
    return { actions, pages: of(t('palette.go'), goActions) };
  }, [t, labelOf, nameOf, connections, onShortcuts, shell]);

  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, more = '' }: Entry): boolean => {
    const all = `${label} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const matching = ({ title, entries }: Group): Group => ({
    title,
    entries: bestFirst(entries.filter(fits), words),
  });
  const shown = [...actions.map(matching), ...found, matching(pages)].filter(
    ({ entries }) => entries.length > 0,
  );
  return (
    <Spotlight.ActionsList>
      {shown.map(({ title, entries }) => (
        <Spotlight.ActionsGroup key={title} label={title}>
          {entries.map((entry) => (
            <Spotlight.Action
              key={entry.id}
              label={entry.label}
              highlightQuery
              leftSection={entry.picture}
              rightSection={
                entry.keys?.[0] ? (
                  <span className={classes.keys}>
                    {printKey(entry.keys[0])
                      .split(' ')
                      .map((key) => (
                        <Kbd key={key} size="xs">
                          {key}
                        </Kbd>
                      ))}
                  </span>
                ) : (
                  entry.note && <span className={classes.note}>{entry.note}</span>
                )
              }
              onClick={entry.run}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {shown.length === 0 && (
        <Spotlight.Empty>{t(isSettled ? 'palette.nothing' : 'palette.searching')}</Spotlight.Empty>
      )}
    </Spotlight.ActionsList>
  );
}

/** Entries whose name begins with the first typed word, then those with a word that does, then the others. */
function bestFirst(entries: readonly Entry[], [first]: readonly string[]): Entry[] {
  if (first === undefined) return [...entries];
  const rank = ({ label }: Entry): number => {
    const name = label.toLowerCase();
    return name.startsWith(first) ? 0 : name.includes(` ${first}`) ? 1 : 2;
  };
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

function entryOf(
  action: Pick<Action, 'id' | 'words' | 'of' | 'icon' | 'keys' | 'boundKey'>,
  nameOf: ReturnType<typeof useActionWords>['nameOf'],
): Omit<Entry, 'run'> {
  const Icon = action.icon;
  return {
    id: action.id,
    label: nameOf(action),
    picture: Icon && <Icon {...icon} />,
    keys: action.boundKey ? [action.boundKey] : keysOf(action),
  };
}

function useConnections(): Entry[] {
  const { t } = useTranslation();
  const { data } = useProfiles();
  return useMemo(
    () =>
      (data ?? []).flatMap(({ id, isDefault, ...profile }): Entry[] => {
        const name = profileName(t, profile);
        return [
          {
            id: `open-${id}`,
            label: t('palette.openConnection', { name }),
            picture: <IconPlugConnected {...icon} />,
            run: () => leaveFor('settings', 'connections', id),
          },
          {
            id: `test-${id}`,
            label: t('palette.testConnection', { name }),
            picture: <IconTestPipe {...icon} />,
            run: () => leaveFor('settings', 'connections', id, 'test'),
          },
          ...(isDefault
            ? []
            : [
                {
                  id: `default-${id}`,
                  label: t('palette.makeDefault', { name }),
                  picture: <IconStar {...icon} />,
                  run: () => attempt(() => studio.connections.setDefault({ id })),
                },
              ]),
        ];
      }),
    [data, t],
  );
}

/** Opens the library on what a query finds. */
function showHeads(query: ModelQuery): void {
  searchAfresh(query);
  leaveFor('library');
}

/** Heads, takes, collections and tags that the words are found in. Settled: the answer is that to these words. */
function useFound(text: string): { groups: Group[]; isSettled: boolean } {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(text, pause);
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['palette', asked],
    queryFn: async () => {
      const [heads, takes, collections, facets] = await Promise.all([
        studio.library.search({ query: { text: asked }, offset: 0, limit: maxFound }),
        studio.takes.search({ query: { text: asked }, offset: 0, limit: maxFound }),
        studio.library.collections(),
        studio.library.facets({ query: {} }),
      ]);
      return { heads: heads.models, takes: takes.takes, collections, tags: facets.tag };
    },
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const isSettled = text === '' || (asked === text && !isFetching && !isPlaceholderData);
  if (!data || asked === '' || text === '') return { groups: [], isSettled };
  const words = text.toLowerCase().split(/\s+/);
  const matches = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
  const groups: Group[] = [
    {
      title: t('palette.heads'),
      entries: data.heads.map(({ id, name, hasThumbnail, version, tags }) => ({
        id: `head-${id}`,
        label: name,
        note: tags.join(' · '),
        picture: hasThumbnail ? (
          <img className={classes.head} src={`${assetUrl(id, 'thumbnail')}?v=${version}`} alt="" />
        ) : undefined,
        run: () => leaveFor('library', 'model', id),
      })),
    },
    {
      title: t('pages.takes'),
      entries: data.takes.map(({ id, name, tags }) => ({
        id: `take-${id}`,
        label: name,
        note: tags.join(' · '),
        picture: <IconMovie {...icon} />,
        run: () => leaveFor('takes', id),
      })),
    },
    {
      title: t('palette.collections'),
      entries: data.collections
        .filter(({ name }) => matches(name))
        .slice(0, maxFound)
        .map(({ id, name, models }) => ({
          id: `collection-${id}`,
          label: name,
          note: String(models),
          picture: <IconFolder {...icon} />,
          run: () => showHeads({ collectionId: id }),
        })),
    },
    {
      title: t('palette.tags'),
      entries: data.tags
        .filter(({ value }) => matches(value))
        .slice(0, maxFound)
        .map(({ value, count }) => ({
          id: `tag-${value}`,
          label: value,
          note: String(count),
          picture: <IconTag {...icon} />,
          run: () => showHeads({ tag: value }),
        })),
    },
  ];
  return { groups, isSettled };
}
