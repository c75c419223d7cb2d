import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Handlers } from '#contract';
import { type BlenderLocation, openInBlender } from '../../blender.ts';
import type { Libraries } from '../libraries.ts';
import type { ModelExports } from './model_export.ts';
import { exportRecords } from './record_export.ts';

/** Maximum models whose records fit into one file returned to the page as text. */
const maxExported = 100_000;

export interface ExportCallsOptions {
  libraries: Libraries;
  exports: ModelExports;
  blender: BlenderLocation;
}

/** Implements the calls that export heads or their records. */
export const exportCalls = ({ libraries, exports, blender }: ExportCallsOptions) =>
  ({
    exportModels: ({ selection, ...order }) => exports.make(libraries.selected(selection), order),
    previewExport: ({ selection, ...order }) => exports.preview(libraries.selected(selection), order),
    cancelExports() {
      exports.cancel();
      return undefined;
    },
    exportRecords({ selection, format }) {
      const models = libraries.selected(selection).flatMap((id) => libraries.index.model(id) ?? []);
      if (models.length > maxExported) {
        throw new Failure('unsupported', t('library.too_many', { count: models.length, most: maxExported }), {
          hint: t('library.narrow_down'),
        });
      }
      return {
        fileName: `likeness-models.${format}`,
        mediaType: format === 'csv' ? 'text/csv' : 'application/json',
        text: exportRecords(models, format),
      };
    },

    blender: async () => ({ path: await blender.find() }),
    chooseBlender: async () => ({ path: await blender.choose() }),
    async openInBlender({ id, names }) {
      const program = await blender.find();
      if (program === null)
        throw new Failure('not_found', t('blender.not_found'), {
          hint: t('blender.say_where'),
        });
      const { exportId } = await exports.make([id], { formats: ['glb'], names });
      const glb = exports.file(exportId)!;
      await openInBlender(program, glb, `${glb}.py`);
      return undefined;
    },
  }) satisfies Partial<Handlers['library']>;
