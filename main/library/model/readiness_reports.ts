import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { glbFailure } from '@likeness/gltf/glb_bounds.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Readiness } from '#contract';
import type { Libraries } from '../libraries.ts';
import { modelFault } from './model_fault.ts';
import { modelFile, stampOf } from './model_folder.ts';

/** Maximum number of cached reports: each took a second to make. */
const maxReports = 32;

/** Checks whether models are ready to be driven, once per state of their folders. */
export class ReadinessReports {
  readonly #libraries: Libraries;
  /** By the model and its folder's stamp. */
  readonly #reports = new Map<string, Readiness>();

  constructor(libraries: Libraries) {
    this.#libraries = libraries;
  }

  /** @throws Failure `not_found`; `unsupported` if the file must not be decoded */
  async of(id: string): Promise<Readiness> {
    const folder = this.#libraries.modelFolder(id);
    const key = `${id} ${(await stampOf(folder)).stamp}`;
    const known = this.#reports.get(key);
    if (known) return known;
    const report = await this.#measure(id, folder);
    this.#keep(key, report);
    return report;
  }

  async #measure(id: string, folder: string): Promise<Readiness> {
    if (!existsSync(join(folder, modelFile))) {
      throw new Failure('not_found', t('library.file_missing'), { hint: t('library.verify') });
    }
    const { fault, refused } = await modelFault(this.#libraries, id);
    if (refused) throw glbFailure(fault);
    // Loaded here, because the glTF library would delay the studio's start.
    const measure = this.#libraries.options.readiness ?? (await import('./readiness.ts')).readinessOfFile;
    return measure(dirname(folder), join(folder, modelFile));
  }

  #keep(key: string, report: Readiness): void {
    this.#reports.set(key, report);
    const oldest = this.#reports.keys().next().value;
    if (this.#reports.size > maxReports && oldest !== undefined) this.#reports.delete(oldest);
  }
}
