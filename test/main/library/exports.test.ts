import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@gltf-transform/core';
import { meshopt } from '@gltf-transform/functions';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { validateGlb } from '@likeness/gltf/gltf_validator.ts';
import { readHead, writeWebHead } from '@likeness/gltf/head_file.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createModelExports, type ModelExports } from '../../../main/library/export/model_export.ts';
import { exportRecords } from '../../../main/library/export/record_export.ts';
import type { Libraries } from '../../../main/library/libraries.ts';
import { readinessOf } from '../../../main/library/model/head_readiness.ts';
import {
  atEnd,
  builtInOnly,
  convertHere,
  putModel,
  realHead,
  setStage,
  smallestGlb,
  temporaryFolder,
} from '../../support/heads/heads.ts';
import { tinyUsd } from '../../support/heads/tiny_usd.ts';
import { readZip } from '../../support/read_zip.ts';

async function stage(head?: Uint8Array): Promise<{
  libraries: Libraries;
  exports: ModelExports;
  ids: string[];
  folder: string;
}> {
  const { libraries, folder } = await setStage();
  head ??= await realHead();
  const ids: string[] = [];
  for (const name of ['Ada', 'ada', 'Grace']) ids.push((await putModel(folder, { name }, head)).id);
  await libraries.rebuild();
  const exports = createModelExports(
    libraries,
    join(await temporaryFolder(), 'exports'),
    convertHere,
    builtInOnly,
  );
  atEnd(() => exports.close());
  return { libraries, exports, ids, folder };
}
const smallGlb = async (glb: Uint8Array): Promise<Uint8Array> => writeWebHead(await readHead(glb));
const only = (ids: readonly string[]): string[] => ids.slice(0, 1);

describe('an export', () => {
  it('of one model is its file, until it is closed', async () => {
    const { exports, ids } = await stage();
    const made = await exports.make(only(ids), { formats: ['glb'], names: 'as-is' });
    expect(made).toMatchObject({ fileName: 'Ada.glb', models: 1, problems: [] });
    const report = await readinessOf(await readFile(exports.file(made.exportId) ?? ''));
    expect(report).toMatchObject({ arkit: { found: 52 }, visemes: { found: 15 } });
    expect(report.validator).toMatchObject({ errors: 0, warnings: 0 });
    await exports.close();
    expect(exports.file(made.exportId)).toBeNull();
  });

  it('with names of VRM keeps everything but the names, and stays valid', async () => {
    const { exports, ids } = await stage();
    const { exportId } = await exports.make(only(ids), { formats: ['glb'], names: 'vrm' });
    const glb = await readFile(exports.file(exportId) ?? '');
    const report = await readinessOf(glb);
    for (const name of ['aa', 'ih', 'ou', 'ee', 'oh', 'blinkLeft', 'blinkRight', 'jawOpen']) {
      expect(report.morphTargets).toContain(name);
    }
    expect(report.morphTargets).not.toContain('viseme_aa');
    expect(report.validator).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('made small has meshopt and WebP, all channels, and stays valid', async () => {
    const { exports, ids } = await stage();
    const { exportId } = await exports.make(only(ids), { formats: ['glb-meshopt'], names: 'as-is' });
    const report = await readinessOf(await readFile(exports.file(exportId) ?? ''));
    expect(report.extensions).toEqual(
      expect.arrayContaining(['EXT_meshopt_compression', 'EXT_texture_webp']),
    );
    expect(report.textures).toMatchObject([{ mediaType: 'image/webp' }]);
    expect(report.arkit.found).toBe(52);
    expect(report.validator.errors).toBe(0);
  });

  it('made plain has nothing that packs it, all channels, and stays valid', async () => {
    const { exports, ids } = await stage(await smallGlb(await realHead()));
    const { exportId } = await exports.make(only(ids), { formats: ['glb'], names: 'arkit' });
    const report = await readinessOf(await readFile(exports.file(exportId) ?? ''));
    expect(report.extensions).not.toContain('EXT_meshopt_compression');
    expect(report.arkit.found).toBe(52);
    expect(report.validator.errors).toBe(0);
  });

  it('made small leaves geometry that is packed already as it is, and is smaller', async () => {
    const io = await gltfIo();
    const document = await io.readBinary(await realHead());
    const noise = sharp({
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', sigma: 30 },
      },
    });
    for (const texture of document.getRoot().listTextures()) texture.setImage(await noise.png().toBuffer());
    document.setLogger(new Logger(Logger.Verbosity.WARN));
    await document.transform(meshopt({ encoder: MeshoptEncoder }));
    const packed = await io.writeBinary(document);
    const small = await smallGlb(packed);
    expect(small.byteLength).toBeLessThan(packed.byteLength);
    const numbers = async (glb: Uint8Array): Promise<number[][]> =>
      (await io.readBinary(glb))
        .getRoot()
        .listAccessors()
        .map((accessor) => [...(accessor.getArray() ?? [])]);
    expect(await numbers(small)).toEqual(await numbers(packed));
    const report = await readinessOf(small);
    expect(report.textures).toMatchObject([{ mediaType: 'image/webp', width: 64 }]);
    expect(report.validator).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('of several is an archive that other programs open, a folder each', async () => {
    const { exports, ids } = await stage();
    const made = await exports.make(ids, { formats: ['zip'], names: 'as-is' });
    expect(made.fileName).toMatch(/^likeness-\d{4}-\d\d-\d\d\.zip$/);
    const files = readZip(await readFile(exports.file(made.exportId) ?? ''));
    expect([...files.keys()].sort()).toEqual(
      [
        'Ada/Ada.glb',
        'Ada/likeness.json',
        'Grace/Grace.glb',
        'Grace/likeness.json',
        'ada (2)/ada (2).glb',
        'ada (2)/likeness.json',
      ].sort(),
    );
  });

  it('in several formats is an archive with a folder for each; names change only where a format has others’', async () => {
    const { exports, ids } = await stage();
    const order = {
      formats: ['glb' as const, 'vrm' as const, 'vrm0' as const, 'obj' as const],
      names: 'vrm',
    };
    const made = await exports.make(only(ids), order);
    expect(made).toMatchObject({ fileName: 'Ada.zip', models: 1, problems: [] });
    const files = readZip(await readFile(exports.file(made.exportId) ?? ''));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['glb/Ada.glb', 'vrm/Ada.vrm', 'vrm0/Ada.vrm', 'obj/Ada/Ada.obj']),
    );
    for (const [name, hasOwn] of [
      ['glb/Ada.glb', false],
      ['vrm/Ada.vrm', true],
    ] as const) {
      const { morphTargets } = await readinessOf(Uint8Array.from(files.get(name) ?? []));
      expect(morphTargets.includes('viseme_aa')).toBe(hasOwn);
    }
  });

  it('as OBJ stands where the head stands, with its texture', async () => {
    const { exports, ids } = await stage();
    const { exportId } = await exports.make(only(ids), { formats: ['obj'], names: 'as-is' });
    const files = readZip(await readFile(exports.file(exportId) ?? ''));
    const read = (file: string): string => files.get(file)?.toString() ?? '';
    const lines = read('Ada/Ada.obj').trim().split('\n');
    expect(lines).toContain('v 0.1 1 0');
    expect(lines).toContain('vt 0 0');
    expect(lines).toContain('f 1/1/1 2/2/2 3/3/3');
    expect(read('Ada/Ada.mtl')).toContain('map_Kd skin.png');
    expect(files.get('Ada/skin.png')?.length).toBeGreaterThan(0);
  });

  it('as USDZ is one file, a scene with its shapes and pictures', async () => {
    const { exports, ids } = await stage();
    const made = await exports.make(only(ids), { formats: ['usdz'], names: 'oculus' });
    expect(made).toMatchObject({ fileName: 'Ada.usdz', problems: [] });
    const reader = await tinyUsd();
    const bytes = await readFile(exports.file(made.exportId) ?? '');
    expect(reader.loadAsLayerFromBinary(bytes, 'Ada.usdz'), reader.error()).toBe(true);
    const layer = reader.layerToString();
    for (const name of ['jawOpen', 'viseme_aa', 'viseme_U'])
      expect(layer).toContain(`def BlendShape "${name}"`);
    expect([...readZip(bytes).keys()]).toEqual(['head.usda', expect.stringMatching(/^textures\/.*\.png$/)]);
  });

  it('as glTF is its files, which belong together', async () => {
    const { exports, ids } = await stage();
    const { exportId, fileName } = await exports.make(only(ids), { formats: ['gltf'], names: 'as-is' });
    expect(fileName).toBe('Ada.zip');
    const files = readZip(await readFile(exports.file(exportId) ?? ''));
    const json = JSON.parse(files.get('Ada/Ada.gltf')!.toString()) as {
      buffers: { uri: string }[];
      images: { uri: string }[];
    };
    for (const { uri } of [...json.buffers, ...json.images])
      expect(files.get(`Ada/${uri}`)?.length).toBeGreaterThan(0);
  });

  it('names many files by a pattern, none twice, and says how large one is before', async () => {
    const { exports, ids } = await stage();
    const order = { formats: ['glb' as const], names: 'as-is', fileName: 'head-{number:3}-{sex}' };
    const { exportId } = await exports.make(ids, order);
    const files = readZip(await readFile(exports.file(exportId) ?? ''));
    const names = [...files.keys()].sort();
    expect(names).toHaveLength(3);
    expect(names[0]).toMatch(/^head-001-/);
    const same = await exports.make(ids, { ...order, fileName: 'same' });
    expect([...readZip(await readFile(exports.file(same.exportId) ?? '')).keys()].sort()).toEqual([
      'same (2).glb',
      'same (3).glb',
      'same.glb',
    ]);
    const preview = await exports.preview(ids, { ...order, format: 'glb' });
    expect(preview).toEqual({
      fileName: names[0],
      bytes: files.get(names[0]!)!.length,
      moving: 67,
      still: [],
      leftOut: [],
    });
    await expect(exports.make(ids, { ...order, fileName: '{nothing}' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('is tried once, whatever its file is going to be called, and anew when the head has changed', async () => {
    const { libraries, ids, folder } = await stage();
    let tried = 0;
    const exports = createModelExports(
      libraries,
      join(await temporaryFolder(), 'exports'),
      {
        convert: (glb, order) => {
          tried += 1;
          return convertHere.convert(glb, order);
        },
      },
      builtInOnly,
    );
    const order = { format: 'glb', names: 'as-is' } as const;
    for (const fileName of ['a', 'ad', 'ada'])
      expect(await exports.preview(ids, { ...order, fileName })).toMatchObject({
        fileName: `${fileName}.glb`,
      });
    expect(tried).toBe(1);
    await exports.preview(ids, { ...order, names: 'vrm' });
    expect(tried).toBe(2);
    const path = join(folder, `model ${ids[0]}`, 'model.glb');
    await writeFile(path, 'broken');
    await expect(exports.preview(ids, { ...order, names: 'vrm' })).rejects.toThrow(/GLB/);
    await expect(exports.preview(ids, { ...order, names: 'vrm' })).rejects.toThrow(/GLB/);
    expect(tried).toBe(4);
  });

  it('of several says which could not be made, and holds the others', async () => {
    const { exports, ids, folder } = await stage();
    await writeFile(join(folder, `model ${ids[1]}`, 'model.glb'), 'broken');
    const made = await exports.make(ids, { formats: ['glb'], names: 'as-is' });
    expect(made).toMatchObject({ models: 2, problems: [{ name: expect.stringMatching(/ada/) }] });
    expect(readZip(await readFile(exports.file(made.exportId) ?? '')).size).toBe(2);
  });

  it('that is stopped leaves nothing, and the next one is made', async () => {
    const { libraries, ids } = await stage();
    const folder = join(await temporaryFolder(), 'exports');
    let begun = 0;
    const exports: ModelExports = createModelExports(
      libraries,
      folder,
      {
        convert: (glb, order, signal) => {
          begun += 1;
          if (begun === 2) exports.cancel();
          if (signal?.aborted) throw new Failure('cancelled', 'Cancelled.');
          return convertHere.convert(glb, order);
        },
      },
      builtInOnly,
    );
    const order = { formats: ['glb' as const], names: 'as-is' };
    await expect(exports.make(ids, order)).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(folder)).toEqual([]);
    expect((await exports.make(ids, order)).models).toBe(3);
  });

  it('of nothing, or of what is gone, says so and leaves nothing behind', async () => {
    const { exports } = await stage();
    await expect(exports.make([], { formats: ['zip'], names: 'as-is' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(exports.make(['gone'], { formats: ['glb'], names: 'as-is' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the readiness panel', () => {
  it('counts what a head has', async () => {
    const report = await readinessOf(await realHead());
    expect(report).toMatchObject({
      arkit: { found: 52, missing: [] },
      visemes: { found: 15, missing: [] },
      tongue: true,
      eyeBones: ['LeftEye', 'RightEye'],
      triangles: 1,
      vertices: 3,
      meshes: 1,
      materials: 1,
      textures: [{ name: 'skin', mediaType: 'image/png', width: 16, height: 16 }],
      validator: { errors: 0, warnings: 0 },
    });
  });

  it('says what a bare file lacks', async () => {
    const report = await readinessOf(smallestGlb);
    expect(report.arkit.found).toBe(0);
    expect(report.visemes.missing).toHaveLength(15);
    expect(report.tongue).toBe(false);
  });

  it('knows channels by the names of other tools', async () => {
    const io = await gltfIo();
    const document = await io.readBinary(await realHead());
    const targets = document.getRoot().listMeshes()[0]?.listPrimitives()[0]?.listTargets() ?? [];
    const names = ['blendShape1.eyeBlink_L', 'JawOpen', 'v_aa'];
    for (const [at, target] of targets.entries()) target.setName(names[at] ?? `other ${at}`);
    const report = await readinessOf(await io.writeBinary(document));
    expect([report.arkit.found, report.visemes.found]).toEqual([2, 1]);
  });

  it('refuses what is no glTF, with the reason', async () => {
    await expect(readinessOf(Buffer.from('glTF but not really, only some text'))).rejects.toMatchObject({
      code: 'storage',
    });
    expect((await validateGlb(smallestGlb, 5)).issues.numErrors).toBe(0);
  });
});

it('records as a table can be opened without running anything', async () => {
  const { libraries, ids } = await stage();
  await libraries.edit(only(ids), (record) => ({ ...record, name: '=cmd|x!A1, "q"', tags: ['a', 'b'] }));
  const model = await libraries.model(ids[0] ?? '');
  const csv = exportRecords([model], 'csv');
  const [header = '', row = ''] = csv.split('\r\n');
  expect(header).toMatch(/^id,name,fileName,/);
  expect(row).toContain(`${ids[0]},"'=cmd|x!A1, ""q""",`);
  expect(row).toContain(',a;b,');
  expect(JSON.parse(exportRecords([model], 'json'))).toMatchObject([{ name: '=cmd|x!A1, "q"' }]);
});
