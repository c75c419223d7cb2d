import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { convertHead } from '@likeness/gltf/formats/convert.ts';
import type { ConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { builtInTable } from '@likeness/gltf/formats/names/built_in_tables.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import sharp from 'sharp';
import { afterEach } from 'vitest';
import type { BlenderLocation } from '../../../main/blender.ts';
import { Libraries, type LibrariesOptions } from '../../../main/library/libraries.ts';
import { type LikenessRecord, newRecord, recordText } from '../../../main/library/model/likeness_record.ts';
import type { NameTables } from '../../../main/names/name_tables.ts';
import { makeGlb } from '../../fixtures/service/glb.ts';

const endings: (() => Promise<unknown>)[] = [];

/** Runs after the test, last registered first. */
export function atEnd(ending: () => Promise<unknown>): void {
  endings.push(ending);
}

afterEach(async () => {
  for (const ending of endings.splice(0).reverse()) await ending();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-library-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A small but real head: a textured triangle with all channels, in metres, with eye bones. */
export async function realHead(): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'VEC3' | 'VEC2', values: number[]) =>
    document.createAccessor().setType(type).setArray(new Float32Array(values)).setBuffer(buffer);
  const image = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#c08060' } })
    .png()
    .toBuffer();
  const texture = document.createTexture('skin').setMimeType('image/png').setImage(image);
  const names = [...arkitBlendshapeNames, ...oculusVisemeNames];
  const primitive = document
    .createPrimitive()
    .setMaterial(document.createMaterial('skin').setBaseColorTexture(texture))
    .setAttribute('POSITION', accessor('VEC3', [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0]))
    .setAttribute('NORMAL', accessor('VEC3', [0, 0, 1, 0, 0, 1, 0, 0, 1]))
    .setAttribute('TEXCOORD_0', accessor('VEC2', [0, 1, 1, 1, 0, 0]))
    .setIndices(
      document
        .createAccessor()
        .setType('SCALAR')
        .setArray(new Uint16Array([0, 1, 2]))
        .setBuffer(buffer),
    );
  for (const name of names) {
    const target = document.createPrimitiveTarget(name);
    primitive.addTarget(target.setAttribute('POSITION', accessor('VEC3', [0, 0, 0, 0.01, 0, 0, 0, 0, 0.01])));
  }
  const mesh = document
    .createMesh('head')
    .addPrimitive(primitive)
    .setWeights(names.map(() => 0))
    .setExtras({ targetNames: names });
  const scene = document
    .createScene()
    .addChild(document.createNode('Head').setMesh(mesh).setTranslation([0, 1, 0]));
  scene.addChild(document.createNode('LeftEye')).addChild(document.createNode('RightEye'));
  document.getRoot().setDefaultScene(scene);
  return new NodeIO().writeBinary(document);
}

export const smallestGlb: Buffer = makeGlb();

/** Puts a model into a library's folder as if it had always been there. */
export async function putModel(
  library: string,
  given: Partial<LikenessRecord> = {},
  glb: Uint8Array = smallestGlb,
): Promise<LikenessRecord> {
  const record = newRecord({
    id: randomUUID(),
    name: 'A head',
    source: 'portrait',
    createdAt: Date.UTC(2026, 10, 20),
    model: { sha256: '', bytes: glb.byteLength },
    ...given,
  });
  const folder = join(library, `model ${record.id}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.glb'), glb);
  await writeFile(join(folder, 'likeness.json'), recordText(record));
  return record;
}

export interface Stage {
  libraries: Libraries;
  /** Folder of the default library. */
  folder: string;
  dataFolder: string;
  /** Everything that was told to the page. */
  told: Parameters<NonNullable<LibrariesOptions['onChanged']>>[0][];
  reopen(): Promise<Libraries>;
}

/** A data folder with its first library, opened and looked through. */
export async function setStage(options: Partial<LibrariesOptions> = {}): Promise<Stage> {
  const dataFolder = options.dataFolder ?? join(await temporaryFolder(), 'library');
  const told: Stage['told'] = [];
  const open = async (): Promise<Libraries> => {
    const libraries = await Libraries.open({
      dataFolder,
      clock: Date.now,
      watch: false,
      onChanged: (payload) => told.push(payload),
      ...options,
    });
    atEnd(() => libraries.close());
    await libraries.settled();
    return libraries;
  };
  const libraries = await open();
  return {
    libraries,
    folder: libraries.folder(libraries.defaultId()),
    dataFolder,
    told,
    async reopen() {
      await libraries.close();
      return open();
    },
  };
}

/** Heads are converted in this thread. */
export const convertHere: Pick<ConvertThreads, 'convert'> = {
  convert: (glb, order) => convertHead(glb, order),
};
/** A machine without Blender. */
export const noBlender: BlenderLocation = { find: async () => null, choose: async () => null };
/** No tables but those that come with the studio. */
export const builtInOnly: Pick<NameTables, 'table'> = { table: (id) => builtInTable(id)! };
