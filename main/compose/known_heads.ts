import { readFile } from 'node:fs/promises';
import { headDrives } from '@likeness/gltf/formats/names/head_drives.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import type { FilmHead } from '../takes/video/film_order.ts';
import type { CoreServices } from './compose_core.ts';
import type { Heads } from './compose_heads.ts';

/** Provides the library's heads and the default heads to rooms that draw or export them. */
export interface KnownHeads {
  /** The default head that the user chose. */
  defaultHead(): DefaultHead;
  /** @param modelId null: the chosen default head @throws Failure `not_found` */
  bytes(modelId: string | null): Promise<Buffer>;
  /**
   * Returns the mapping from face channels to a head's shapes: by name, or as the user set it.
   *
   * @param channels of the face; default: all
   * @throws Failure `not_found`, `invalid_input`
   */
  drives(head: FilmHead, channels?: readonly string[]): Promise<readonly ShapeDrive[]>;
}

/** @param files paths of the default heads */
export function knownHeads(
  { settings, modelDrives }: CoreServices,
  { libraries }: Heads,
  files: Readonly<Record<DefaultHead, string>>,
): KnownHeads {
  const defaultHead = (): DefaultHead => settings.get().defaultHead;
  const bytes = (modelId: string | null): Promise<Buffer> =>
    modelId === null ? readFile(files[defaultHead()]) : libraries.modelBytes(modelId);
  return {
    defaultHead,
    bytes,
    async drives(head, channels) {
      if ('bytes' in head) return headDrives(head.bytes, [], channels);
      if ('own' in head) return headDrives(await readFile(files[head.own]), modelDrives.of(null), channels);
      return headDrives(await bytes(head.modelId), modelDrives.of(head.modelId), channels);
    },
  };
}
