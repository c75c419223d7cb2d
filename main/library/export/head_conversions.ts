import type { Converted } from '@likeness/gltf/formats/convert.ts';
import type { ConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { formatFiles } from '@likeness/gltf/formats/format_names.ts';
import type { HeadAbout } from '@likeness/gltf/formats/formats.ts';
import type { NameTable } from '@likeness/gltf/formats/names/name_table.ts';
import { metaOfRecord } from '@likeness/gltf/formats/vrm/vrm_meta.ts';
import { imageHeadBytes, imageKind } from '@likeness/node-kit/image_kind.ts';
import type { CallInput, CallOutput } from '#contract';
import type { NameTables } from '../../names/name_tables.ts';
import type { Libraries } from '../libraries.ts';
import {
  maxPictureBytes,
  modelFile,
  readModelFile,
  readRecord,
  stampOf,
  thumbnailFile,
} from '../model/model_folder.ts';

/** One format of an export. */
export type FormatOrder = Omit<CallInput<'library', 'previewExport'>, 'selection'>;

/** The result of a conversion. */
type Outcome = Omit<CallOutput<'library', 'previewExport'>, 'fileName'>;

/** The format of each head: `zip` contains it as a GLB, beside other files. */
export const formatOf = ({ format }: Pick<FormatOrder, 'format'>) => (format === 'zip' ? 'glb' : format);

/** Converts heads to other formats, on separate threads. */
export class HeadConversions {
  readonly #libraries: Libraries;
  readonly #threads: Pick<ConvertThreads, 'convert'>;
  readonly #tables: Pick<NameTables, 'table'>;
  /** The last preview of each format: typing a file name must not convert the head at each letter. */
  readonly #previews = new Map<FormatOrder['format'], { key: string; outcome: Promise<Outcome> }>();

  constructor(
    libraries: Libraries,
    threads: Pick<ConvertThreads, 'convert'>,
    tables: Pick<NameTables, 'table'>,
  ) {
    this.#libraries = libraries;
    this.#threads = threads;
    this.#tables = tables;
  }

  /** @param stem - Name of the files, without extension. @throws Failure as `convertHead` */
  async convert(id: string, order: FormatOrder, stem: string, signal: AbortSignal): Promise<Converted> {
    const about = await aboutOf(this.#libraries, id);
    const glb = await readModelFile(this.#libraries.modelFolder(id), modelFile);
    const conversion = { format: formatOf(order), table: this.#tableOf(order), stem, about };
    return this.#threads.convert(glb, conversion, signal);
  }

  /** Previews the result. @throws as `convert` */
  async outcome(id: string, order: FormatOrder, stem: string, signal: AbortSignal): Promise<Outcome> {
    const { stamp } = await stampOf(this.#libraries.modelFolder(id));
    const key = JSON.stringify([id, formatOf(order), this.#tableOf(order), stamp]);
    const earlier = this.#previews.get(order.format);
    if (earlier?.key === key) return earlier.outcome;
    const outcome = this.convert(id, order, stem, signal).then(({ files, moving, still, leftOut }) => ({
      bytes: files.reduce((sum, { data }) => sum + data.byteLength, 0),
      moving,
      still,
      leftOut: [...leftOut],
    }));
    const preview = { key, outcome };
    this.#previews.set(order.format, preview);
    outcome.catch(() => {
      if (this.#previews.get(order.format) === preview) this.#previews.delete(order.format);
    });
    return outcome;
  }

  #tableOf({ format, names }: FormatOrder): NameTable | null {
    return names === 'as-is' || !formatFiles[formatOf({ format })].renames ? null : this.#tables.table(names);
  }
}

async function aboutOf(libraries: Libraries, id: string): Promise<HeadAbout> {
  const folder = libraries.modelFolder(id);
  const picture = await readModelFile(folder, thumbnailFile, maxPictureBytes).catch(() => undefined);
  const isPicture = picture && imageKind(picture.subarray(0, imageHeadBytes)) !== null;
  return metaOfRecord(await readRecord(folder), isPicture ? picture : undefined);
}
