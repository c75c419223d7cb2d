import { allChannels } from '@likeness/gltf/formats/names/head_drives.ts';
import { shapesOfGlb } from '@likeness/gltf/formats/names/head_shapes.ts';
import { planNames } from '@likeness/gltf/formats/names/name_table.ts';
import {
  plannedDrives,
  unheardChannels,
  withOwnDrives,
} from '@likeness/gltf/formats/names/planned_drives.ts';
import { refuseUnboundedGlb } from '@likeness/gltf/glb_bounds.ts';
import { safeName } from '@likeness/node-kit/storage/safe_name.ts';
import type { Handlers, HeadDrives } from '#contract';
import type { ModelDrives } from './model_drives.ts';
import { csvOfEntries, entriesOfCsv } from './name_entries.ts';
import type { NameTables } from './name_tables.ts';

export interface NamesCallsOptions {
  tables: NameTables;
  drives: ModelDrives;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Uint8Array>;
  /** Called when the user's mapping of a head has changed. */
  onDrives: (modelId: string | null) => Promise<void>;
}

/** Implements the room `names` of the contract. */
export function namesCalls({ tables, drives, head, onDrives }: NamesCallsOptions): Handlers['names'] {
  const headDrives = async (modelId: string | null): Promise<HeadDrives> => {
    const own = drives.of(modelId);
    const isOwn = new Set(own.map(({ shape }) => shape));
    const { names, expressions } = shapesOfGlb(await head(modelId));
    const planned = plannedDrives(names, allChannels, expressions);
    const rows = withOwnDrives(planned.drives, own);
    return {
      vocabulary: planned.vocabulary,
      rows: rows.map(({ shape, parts, gain, curve }) => ({
        ...{ shape, gain, curve, isOwn: isOwn.has(shape) },
        parts: [...parts],
      })),
      still: rows
        .filter(({ shape, parts, gain }) => (parts.length === 0 || gain === 0) && !planned.spare.has(shape))
        .map(({ shape }) => shape),
      unheard: unheardChannels(rows, allChannels),
    };
  };
  return {
    list: () => tables.list(),
    table({ id }) {
      const { card, entries } = tables.entries(id);
      return { ...card, entries };
    },
    save: (given) => tables.save(given),
    remove: ({ id }) => tables.remove(id),
    async importTable({ name, csv }) {
      const { entries, faults } = entriesOfCsv(csv);
      return { table: faults.length > 0 ? null : await tables.save({ name, entries }), faults };
    },
    exportTable({ id }) {
      const { card, entries } = tables.entries(id);
      const stem = safeName(card.name || id, { maxBytes: 100, fallback: 'names' });
      return { fileName: `${stem}.csv`, mediaType: 'text/csv', text: csvOfEntries(entries) };
    },
    async check({ id, modelId }) {
      const table = tables.table(id);
      const glb = await head(modelId);
      await refuseUnboundedGlb(glb);
      const { made, missing, unused } = planNames(shapesOfGlb(glb).names, table);
      return {
        made: made.map(({ name, lacking }) => ({ name, lacking: [...lacking] })),
        missing: missing.map(({ name, needs }) => ({ name, needs: [...needs] })),
        unused: [...unused],
      };
    },
    drives: ({ modelId }) => headDrives(modelId),
    async saveDrives({ modelId, rows }) {
      await drives.save(modelId, rows);
      await onDrives(modelId);
      return headDrives(modelId);
    },
  };
}
