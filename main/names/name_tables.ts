import { renameSync } from 'node:fs';
import {
  type BuiltInTable,
  builtInTable,
  builtInTables,
} from '@likeness/gltf/formats/names/built_in_tables.ts';
import type { NameTable } from '@likeness/gltf/formats/names/name_table.ts';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath } from '@likeness/node-kit/storage/quarantine.ts';
import { z } from 'zod';
import { NameEntry, type NameTableCard } from '#contract';
import { entriesOf, tableOf } from './name_entries.ts';

/** Version of the file. One of a newer studio is left unchanged. */
const schemaVersion = 2;
/** Maximum number of custom tables. */
const maxTables = 100;

const OwnTable = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string().trim().min(1).max(120),
  entries: z.array(NameEntry).min(1).max(2000),
});
type OwnTable = z.output<typeof OwnTable>;

/** Version 1 called the variant `way`. */
const OwnTable1 = z
  .looseObject({ entries: z.array(z.looseObject({ way: z.unknown() })) })
  .transform((table) => ({
    ...table,
    entries: table.entries.map(({ way: variant, ...entry }) => ({ ...entry, variant })),
  }))
  .pipe(OwnTable);

/** The vocabularies of face shapes: the built-in ones, and the custom ones in one file. */
export interface NameTables {
  list(): NameTableCard[];
  /** @throws Failure `not_found` */
  table(id: string): NameTable;
  /** @throws Failure `not_found` */
  entries(id: string): { card: NameTableCard; entries: NameEntry[] };
  /**
   * @param given - Without an id a new one is made.
   * @throws Failure `not_allowed` for a built-in one, `not_found`, `conflict` if there are too many,
   * `storage`
   */
  save(given: {
    id?: string | undefined;
    name: string;
    entries: readonly NameEntry[];
  }): Promise<NameTableCard>;
  /** @throws Failure `not_allowed`, `not_found`, `storage` */
  remove(id: string): Promise<NameTableCard[]>;
  /** The problem of the file at the start, for the user; null if none. */
  readonly problem: string | null;
}

export interface NameTablesOptions {
  path: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  randomId: () => string;
  onChanged?: (tables: NameTableCard[]) => void;
}

/** @throws Failure `storage` if the file can't be read, or was written by a newer studio */
export async function openNameTables({
  path,
  clock,
  randomId,
  onChanged,
}: NameTablesOptions): Promise<NameTables> {
  let problem: string | null = null;
  let own: readonly OwnTable[] = [];
  // Stay in the file as they are, for a person or a later studio to mend.
  let unreadable: readonly unknown[] = [];
  const bytes = await readFileIfThere(path);
  if (bytes) {
    const read = readTables(bytes.toString('utf8'));
    if (read === null) {
      const kept = quarantinePath(path, clock());
      renameSync(path, kept);
      problem = `The tables of names were damaged and are kept as ${kept}; the built-in ones are there.`;
    } else ({ own, unreadable } = read);
  }
  const cardOf = ({ id, name, entries }: OwnTable): NameTableCard => ({
    id,
    name,
    builtIn: false,
    names: new Set(entries.map((entry) => entry.name)).size,
  });
  const list = (): NameTableCard[] => [
    ...(Object.keys(builtInTables) as BuiltInTable[]).map((id) => ({
      id,
      name: '',
      builtIn: true,
      names: builtInTables[id].length,
    })),
    ...own.map(cardOf).toSorted((a, b) => a.name.localeCompare(b.name)),
  ];
  const ownTable = (id: string): OwnTable => {
    if (builtInTable(id)) {
      throw new Failure('not_allowed', t('names.own_stay'), {
        hint: t('names.save_under_name'),
      });
    }
    const found = own.find((one) => one.id === id);
    if (!found) throw new Failure('not_found', t('names.no_table'));
    return found;
  };
  // Serializes writes: each begins with the result of the one before.
  const inTurn = createMutex();
  const change = (next: () => readonly OwnTable[]): Promise<void> =>
    inTurn(async () => {
      const tables = next();
      await writeFileAtomically(
        path,
        `${JSON.stringify({ schemaVersion, tables: [...tables, ...unreadable] }, null, 2)}\n`,
      );
      own = tables;
      onChanged?.(list());
    });
  return {
    problem,
    list,
    table: (id) => builtInTable(id) ?? tableOf(id, ownTable(id).entries),
    entries(id) {
      const builtIn = builtInTable(id);
      if (builtIn) return { card: list().find((card) => card.id === id)!, entries: entriesOf(builtIn.rows) };
      const found = ownTable(id);
      return { card: cardOf(found), entries: found.entries };
    },
    async save({ id, name, entries }) {
      const saved = { id: id ?? randomId(), name, entries: [...entries] };
      await change(() => {
        if (id !== undefined) ownTable(id);
        else if (own.length >= maxTables) {
          throw new Failure('conflict', t('names.too_many', { most: maxTables }), {
            hint: t('names.remove_one'),
          });
        }
        return [...own.filter((one) => one.id !== id), saved];
      });
      return cardOf(saved);
    },
    async remove(id) {
      await change(() => {
        const gone = ownTable(id);
        return own.filter((one) => one !== gone);
      });
      return list();
    },
  };
}

/** Null if the file as a whole is invalid. */
function readTables(text: string): { own: OwnTable[]; unreadable: unknown[] } | null {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return null;
  }
  const file = z.object({ schemaVersion: z.number().int(), tables: z.array(z.unknown()) }).safeParse(stored);
  if (!file.success) return null;
  if (file.data.schemaVersion > schemaVersion) {
    throw new Failure('storage', t('names.newer', { version: file.data.schemaVersion }), {
      hint: t('storage.update_file'),
    });
  }
  const read = file.data.schemaVersion === 1 ? OwnTable1 : OwnTable;
  const own: OwnTable[] = [];
  const unreadable: unknown[] = [];
  for (const one of file.data.tables) {
    const { success, data } = read.safeParse(one);
    if (success) own.push(data);
    else unreadable.push(one);
  }
  return { own, unreadable };
}
