import type { Handlers } from '#contract';
import { refuseUnboundedGlb } from '../../gltf/glb_bounds.ts';
import { gltfIo } from '../../gltf/gltf_io.ts';
import { safeName } from '../../storage/safe_name.ts';
import { shapesOf } from './head_shapes.ts';
import { csvOfEntries, entriesOfCsv } from './name_entries.ts';
import { planNames } from './name_table.ts';
import type { NameTables } from './name_tables.ts';

export interface NamesCallsOptions {
  tables: NameTables;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Uint8Array>;
}

/** The room `names` of the contract. */
export function namesCalls({ tables, head }: NamesCallsOptions): Handlers['names'] {
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
      const { made, missing, unused } = planNames(shapesOf(await (await gltfIo()).readBinary(glb)), table);
      return {
        made: made.map(({ name, lacking }) => ({ name, lacking: [...lacking] })),
        missing: missing.map(({ name, needs }) => ({ name, needs: [...needs] })),
        unused: [...unused],
      };
    },
  };
}
