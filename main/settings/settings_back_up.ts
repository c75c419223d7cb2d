import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { z } from 'zod';
import {
  type BackUpReading,
  longestBackUp,
  PageSettings,
  type Profile,
  type ProfileDraft,
  type SettingChange,
  type Settings,
} from '#contract';
import type { Connections } from '../connections/connections.ts';
import { readProfileFile } from '../connections/profile_file.ts';
import { sensibleSettings } from './settings.ts';

const format = 'likeness-settings';
const version = 1;

/** Settings that are state of this machine rather than the user's choice. */
const unkept: readonly (keyof Settings)[] = ['welcomed'];

const Content = z.looseObject({
  format: z.literal(format),
  version: z.number(),
  madeAt: z.iso.datetime().optional().catch(undefined),
  settings: z.record(z.string(), z.unknown()).default({}),
  connections: z.array(z.unknown()).default([]),
  /** By name: ids are valid on one machine only. */
  defaultConnection: z.string().optional().catch(undefined),
  page: z.record(z.string(), z.unknown()).default({}),
});

/** The valid part of a back-up. */
interface BackUp {
  problem: BackUpReading['problem'];
  madeAt: number | null;
  settings: Partial<Settings>;
  connections: ProfileDraft[];
  defaultConnection: string | undefined;
  page: PageSettings;
  leftOut: Message[];
}

export interface BackUpOptions {
  settings: () => Settings;
  /** Sets the studio-wide settings, and notifies listeners. */
  changeSettings: (changes: Partial<Settings>) => Promise<Settings>;
  connections: Pick<Connections, 'list' | 'details' | 'create' | 'update' | 'remove' | 'setDefault'>;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/**
 * Exports all of the user's settings as one file, and restores it. It never contains keys: connections are
 * written as in their own export.
 */
export interface SettingsBackUp {
  /** @throws Failure `unsupported` if the file would be too long for `compare`. */
  save(page: PageSettings): Promise<{ fileName: string; mediaType: string; text: string }>;
  compare(text: string): Promise<BackUpReading>;
  read(text: string): Promise<BackUpReading>;
  /** @throws Failure `not_found` if nothing was restored since the start, or it was undone. */
  undo(): Promise<Settings>;
}

export function createSettingsBackUp(options: BackUpOptions): SettingsBackUp {
  const { connections } = options;
  let takeBack: (() => Promise<void>) | undefined;

  const own = async (): Promise<Profile[]> => (await connections.list()).filter(({ builtIn }) => !builtIn);

  const compare = async (backUp: BackUp): Promise<SettingChange[]> => {
    const now = options.settings();
    const changes: SettingChange[] = [];
    for (const [name, to] of Object.entries(backUp.settings)) {
      const from = now[name as keyof Settings];
      if (isSame(from, to)) continue;
      changes.push({ what: 'setting', name, fields: [], from: JSON.stringify(from), to: JSON.stringify(to) });
    }
    const profiles = await connections.list();
    for (const draft of backUp.connections) {
      const there = profiles.find(named(draft.name));
      if (!there) {
        changes.push({ what: 'connection_added', name: draft.name, fields: [], from: '', to: '' });
        continue;
      }
      const before = await connections.details(there.id);
      const fields = Object.keys(draft).filter(
        (field) => !isSame(before[field as keyof ProfileDraft], draft[field as keyof ProfileDraft]),
      );
      if (fields.length > 0)
        changes.push({
          what: 'connection_changed',
          name: there.name,
          fields,
          ...addressesOf(before, { ...before, ...draft }),
        });
    }
    const { defaultConnection } = backUp;
    const standard = profiles.find(({ isDefault }) => isDefault)?.name ?? '';
    const isKnown = [...profiles, ...backUp.connections].some(named(defaultConnection ?? ''));
    if (defaultConnection && isKnown && !named(standard)({ name: defaultConnection })) {
      const [from, to] = [JSON.stringify(standard), JSON.stringify(defaultConnection)];
      changes.push({ what: 'default_connection', name: defaultConnection, fields: [], from, to });
    }
    return changes;
  };
  const readingOf = (
    { problem, madeAt, page, leftOut }: BackUp,
    changes: SettingChange[],
  ): BackUpReading => ({
    problem,
    madeAt,
    changes,
    page,
    leftOut,
  });

  return {
    async save(page) {
      const at = new Date(options.clock()).toISOString();
      const profiles = await own();
      const standard = (await connections.list()).find(({ isDefault }) => isDefault);
      const kept = Object.entries(options.settings()).filter(
        ([name]) => !unkept.includes(name as keyof Settings),
      );
      const content: z.input<typeof Content> = {
        format,
        version,
        madeAt: at,
        settings: Object.fromEntries(kept),
        connections: await Promise.all(profiles.map(({ id }) => connections.details(id))),
        ...(standard && { defaultConnection: standard.name }),
        page: Object.fromEntries(
          Object.entries(page).flatMap(([name, text]) => {
            const value = text === undefined ? undefined : parse(text);
            return value === undefined ? [] : [[name, value]];
          }),
        ),
      };
      const text = `${JSON.stringify(content, null, 2)}\n`;
      if (text.length > longestBackUp)
        throw new Failure('unsupported', t('back_up.too_much'), {
          hint: t('back_up.remove_some'),
        });
      return { fileName: `likeness-settings-${at.slice(0, 10)}.json`, mediaType: 'application/json', text };
    },
    async compare(text) {
      const backUp = readBackUp(text);
      return readingOf(backUp, await compare(backUp));
    },
    async read(text) {
      const backUp = readBackUp(text);
      const changes = await compare(backUp);
      if (backUp.problem) return readingOf(backUp, changes);
      const undoing: (() => Promise<unknown>)[] = [];
      const undo = async (): Promise<void> => {
        for (let step = undoing.pop(); step; step = undoing.pop()) await step();
      };
      try {
        // Undo affects only the file's settings: later changes of others stay.
        const now = options.settings();
        const before = Object.fromEntries(
          (Object.keys(backUp.settings) as (keyof Settings)[]).map((field) => [field, now[field]]),
        );
        undoing.push(() => options.changeSettings(before));
        await options.changeSettings(backUp.settings);
        const standard = (await connections.list()).find(({ isDefault }) => isDefault);
        if (standard) undoing.push(() => connections.setDefault(standard.id));
        for (const draft of backUp.connections) {
          const there = (await own()).find(named(draft.name));
          if (there) {
            const old = await connections.details(there.id);
            undoing.push(() => connections.update(there.id, old));
            await connections.update(there.id, draft);
          } else {
            const { id } = await connections.create(draft);
            undoing.push(() => connections.remove(id));
          }
        }
        const wanted = (await connections.list()).find(named(backUp.defaultConnection ?? ''));
        if (wanted && wanted.id !== standard?.id) await connections.setDefault(wanted.id);
      } catch (error) {
        // Atomic.
        await undo();
        throw error;
      }
      takeBack = undo;
      return readingOf(backUp, changes);
    },
    async undo() {
      const undo = takeBack;
      takeBack = undefined;
      if (!undo) throw new Failure('not_found', t('back_up.nothing_read'));
      await undo();
      return options.settings();
    },
  };
}

/** Names of connections ignore case, as in `Connections`. */
const named =
  (name: string) =>
  (one: { name: string }): boolean =>
    one.name.trim().toLowerCase() === name.trim().toLowerCase();

function readBackUp(text: string): BackUp {
  const nothing = {
    madeAt: null,
    settings: {},
    connections: [],
    defaultConnection: undefined,
    page: {},
    leftOut: [],
  };
  if (text.length > longestBackUp) return { ...nothing, problem: 'too_large' };
  if (text.trim() === '') return { ...nothing, problem: 'empty' };
  const value = parse(text.replace(/^\ufeff/, ''));
  if (value === undefined) return { ...nothing, problem: 'not_json' };
  const { success, data } = Content.safeParse(value);
  if (!success) return { ...nothing, problem: 'not_settings' };
  if (data.version > version) return { ...nothing, problem: 'newer' };

  const { settings, senseless } = sensibleSettings(data.settings);
  for (const name of unkept) delete settings[name];
  const { drafts, problems } = readProfileFile(JSON.stringify({ profiles: data.connections }));
  const page = PageSettings.partial().safeParse(
    Object.fromEntries(Object.entries(data.page).map(([name, part]) => [name, JSON.stringify(part)])),
  );
  return {
    problem: null,
    madeAt: data.madeAt === undefined ? null : Date.parse(data.madeAt),
    settings,
    connections: unique(drafts),
    defaultConnection: data.defaultConnection,
    page: page.data ?? {},
    leftOut: [
      ...senseless,
      ...problems.map(({ where, problem }) => t('side_by_side', { first: `${where}: `, second: problem })),
      ...(page.success ? [] : ['page']),
    ].slice(0, 100),
  };
}

/** If several connections have the same name, the last counts. */
const unique = (drafts: readonly ProfileDraft[]): ProfileDraft[] =>
  drafts.filter(({ name }, at) => !drafts.slice(at + 1).some(named(name)));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys, so that values compare equal whatever the order of their fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Photos would go elsewhere, so the old and new addresses are shown; empty if they are the same. */
function addressesOf(before: ProfileDraft, after: ProfileDraft): Pick<SettingChange, 'from' | 'to'> {
  const changed = (['groupAUrl', 'groupBUrl'] as const).filter((field) => before[field] !== after[field]);
  const shown = (profile: ProfileDraft): string => changed.map((field) => profile[field]).join(', ');
  return { from: shown(before), to: shown(after) };
}
