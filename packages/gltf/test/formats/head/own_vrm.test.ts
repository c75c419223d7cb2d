import { inEnglish } from '@likeness/messages';
import type { VRM } from '@pixiv/types-vrm-0.0';
import type { VRMCVRM } from '@pixiv/types-vrmc-vrm-1.0';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { convertHead } from '../../../src/formats/convert.ts';
import type { HeadFormat } from '../../../src/formats/formats.ts';
import { metaOfOwn } from '../../../src/formats/vrm/vrm_meta.ts';
import { glbJson } from '../../../src/glb_json.ts';
import { type ForeignHead, foreignGlb, withJson } from './foreign_head.ts';

interface VrmJson {
  nodes: { name?: string; mesh?: number }[];
  images?: { name?: string }[];
  extensions: { VRMC_vrm?: VRMCVRM; VRM?: VRM };
}

async function converted(glb: Uint8Array, format: Exclude<HeadFormat, 'zip'>) {
  const about = { name: 'file name' };
  const { files, leftOut, still } = await convertHead(glb, { format, table: null, stem: 'head', about });
  const json = format === 'vrm' || format === 'vrm0' ? glbJson<VrmJson>(files[0]!.data) : null;
  return { file: files[0]!.data, json, leftOut: leftOut.map(inEnglish), still };
}

const ownNames: ForeignHead = {
  names: { neck: 'kubi', head: 'atama' },
  targetNames: ['mth_open01', 'mth_kiss', 'lid_L', 'lid_R'],
  vrm1: (at, face, [head]) => ({
    specVersion: '1.0',
    meta: { name: 'Aoi', authors: ['Studio K'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: { head: { node: at.node(head!) } } },
    expressions: {
      preset: {
        aa: { morphTargetBinds: [{ node: at.node(face), index: 0, weight: 1 }], overrideBlink: 'blend' },
        happy: {
          isBinary: true,
          morphTargetBinds: [
            { node: at.node(face), index: 1, weight: 0.25 },
            { node: at.node(face), index: 2, weight: 0.5 },
          ],
        },
      },
      custom: { smirk: { morphTargetBinds: [{ node: at.node(face), index: 3, weight: 0.75 }] } },
    },
  }),
};

describe('a VRM that is written from a VRM', () => {
  test('keeps its expressions, in both versions', async () => {
    const { json, still } = await converted(await foreignGlb(ownNames), 'vrm');
    const { preset, custom } = json!.extensions.VRMC_vrm!.expressions!;
    const face = json!.nodes.findIndex(({ mesh }) => mesh !== undefined);
    expect(preset!.aa).toMatchObject({
      morphTargetBinds: [{ node: face, index: 0, weight: 1 }],
      overrideBlink: 'blend',
      isBinary: false,
    });
    expect(preset!.happy).toMatchObject({
      isBinary: true,
      morphTargetBinds: [
        { node: face, index: 1, weight: 0.25 },
        { node: face, index: 2, weight: 0.5 },
      ],
    });
    expect(custom!.smirk!.morphTargetBinds).toEqual([{ node: face, index: 3, weight: 0.75 }]);
    // Shapes without an expression of the author's are there under their own names.
    expect(custom!.mth_kiss!.morphTargetBinds).toEqual([{ node: face, index: 1, weight: 1 }]);
    expect(still).not.toContain('aa');
    expect(still).toContain('blinkLeft');
    const older = await converted(await foreignGlb(ownNames), 'vrm0');
    const groups = older.json!.extensions.VRM!.blendShapeMaster!.blendShapeGroups!;
    expect(groups.find(({ presetName }) => presetName === 'joy')).toMatchObject({
      isBinary: true,
      binds: [
        { index: 1, weight: 25 },
        { index: 2, weight: 50 },
      ],
    });
  });

  test('hangs the body on the bone that its humanoid calls the head', async () => {
    const { json } = await converted(await foreignGlb(ownNames), 'vrm');
    const { humanBones } = json!.extensions.VRMC_vrm!.humanoid;
    expect(json!.nodes[humanBones.head!.node]!.name).toBe('atama');
  });

  const meta0 = {
    ...{ title: 'Aoi', version: '2.1', author: 'Studio K', contactInformation: 'k@example.org' },
    ...{ reference: 'https://example.org/aoi', allowedUserName: 'Everyone', commercialUssageName: 'Allow' },
    ...{
      violentUssageName: 'Allow',
      sexualUssageName: 'Disallow',
      otherPermissionUrl: 'https://example.org/terms',
    },
  };
  const licensed = (licenceName: string): ForeignHead => ({
    looks: '-Z',
    vrm0: (at, _, [head]) => ({
      specVersion: '0.0',
      meta: { ...meta0, licenseName: licenceName },
      humanoid: { humanBones: [{ bone: 'head', node: at.node(head!) }] },
      secondaryAnimation: { boneGroups: [{ stiffiness: 1, bones: [at.node(head!)] }], colliderGroups: [] },
    }),
  });

  test('keeps author and licence of 0.x in 1.0, never wider, and says that its springs are left out', async () => {
    const { json, leftOut } = await converted(await foreignGlb(licensed('CC_BY')), 'vrm');
    expect(json!.extensions.VRMC_vrm!.meta).toEqual({
      name: 'Aoi',
      version: '2.1',
      authors: ['Studio K'],
      contactInformation: 'k@example.org',
      references: ['https://example.org/aoi', 'https://example.org/terms'],
      licenseUrl: 'https://vrm.dev/licenses/1.0/',
      otherLicenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
      avatarPermission: 'everyone',
      commercialUsage: 'personalProfit',
      creditNotation: 'required',
      modification: 'allowModificationRedistribution',
      allowRedistribution: true,
      allowExcessivelyViolentUsage: true,
      allowExcessivelySexualUsage: false,
      allowPoliticalOrReligiousUsage: false,
      allowAntisocialOrHateUsage: false,
    });
    expect(leftOut).toEqual([expect.stringMatching(/springs .* left out/)]);
  });

  test.each([
    ['CC_BY_NC', 'personalNonProfit', 'allowModificationRedistribution', true],
    ['CC_BY_ND', 'personalProfit', 'prohibited', true],
    ['CC_BY_SA', 'personalProfit', 'allowModification', true],
    ['CC0', 'personalProfit', 'allowModificationRedistribution', true],
    ['Redistribution_Prohibited', 'personalProfit', 'prohibited', false],
    ['Other', 'personalProfit', 'prohibited', false],
    ['', 'personalProfit', 'prohibited', false],
  ])('allows no more than %s did', async (licence, commercialUsage, modification, allowRedistribution) => {
    const { json } = await converted(await foreignGlb(licensed(licence)), 'vrm');
    expect(json!.extensions.VRMC_vrm!.meta).toMatchObject({
      commercialUsage,
      modification,
      allowRedistribution,
    });
  });

  test('says in 0.x again what 0.x said', async () => {
    const { json } = await converted(await foreignGlb(licensed('CC_BY_NC')), 'vrm0');
    expect(json!.extensions.VRM!.meta).toMatchObject({ ...meta0, licenseName: 'CC_BY_NC' });
  });

  test('of 1.0 keeps every permission in 1.0, and in 0.x allows no corporation what a person may', async () => {
    const meta = {
      ...{ name: 'Aoi', version: '3', authors: ['Studio K', 'L'], copyrightInformation: '© K' },
      ...{ contactInformation: 'k@example.org', references: ['r'], thirdPartyLicenses: 'hair: M' },
      ...{ licenseUrl: 'https://vrm.dev/licenses/1.0/', otherLicenseUrl: 'https://example.org/more' },
      ...{ avatarPermission: 'onlySeparatelyLicensedPerson', commercialUsage: 'personalProfit' },
      ...{ creditNotation: 'unnecessary', allowRedistribution: true, modification: 'allowModification' },
      ...{ allowExcessivelyViolentUsage: true, allowExcessivelySexualUsage: true },
      ...{ allowPoliticalOrReligiousUsage: true, allowAntisocialOrHateUsage: false },
    };
    const glb = await foreignGlb({
      ...ownNames,
      vrm1: () => ({ specVersion: '1.0', meta, humanoid: { humanBones: {} } }),
    });
    expect((await converted(glb, 'vrm')).json!.extensions.VRMC_vrm!.meta).toEqual(meta);
    expect((await converted(glb, 'vrm0')).json!.extensions.VRM!.meta).toMatchObject({
      ...{ title: 'Aoi', author: 'Studio K, L', allowedUserName: 'ExplicitlyLicensedPerson' },
      ...{
        commercialUssageName: 'Disallow',
        licenseName: 'Other',
        otherLicenseUrl: 'https://example.org/more',
      },
      reference: 'r\n© K',
    });
  });

  test('keeps its author’s picture', async () => {
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const glb = await foreignGlb({
      ...ownNames,
      material: (document) => {
        const texture = document
          .createTexture('Portrait')
          .setMimeType('image/png')
          .setImage(new Uint8Array(image));
        return document.createMaterial('Skin').setBaseColorTexture(texture);
      },
      vrm1: () => ({
        specVersion: '1.0',
        meta: { name: 'Aoi', thumbnailImage: 0 },
        humanoid: { humanBones: {} },
      }),
    });
    const { json } = await converted(glb, 'vrm');
    expect(json!.images![json!.extensions.VRMC_vrm!.meta.thumbnailImage!]!.name).toBe('Thumbnail');
  });

  test('fills by the record only what the author left empty, and adds the consent', () => {
    const about = {
      name: 'Ada',
      authors: ['Ada Byron'],
      copyright: 'Likeness of Ada Byron.',
      references: ['a.vrm'],
    };
    const own = {
      name: 'Aoi',
      authors: ['Studio K'],
      copyright: '© K',
      references: ['r'],
      redistribution: true,
    };
    expect(metaOfOwn(about, own)).toMatchObject({
      ...{ name: 'Aoi', authors: ['Studio K'], copyright: '© K Likeness of Ada Byron.' },
      ...{ references: ['r', 'a.vrm'], redistribution: true },
    });
    expect(metaOfOwn(about, { name: '', authors: [] })).toMatchObject({
      name: 'Ada',
      authors: ['Ada Byron'],
    });
  });
});

test('a format that holds no licence says whose the head is', async () => {
  const { leftOut } = await converted(await foreignGlb(ownNames), 'fbx');
  expect(leftOut).toEqual([expect.stringContaining('Studio K')]);
});

test.each(['glb', 'gltf'] as const)(
  'a head as %s names the author and the licence of the VRM that it was',
  async (format) => {
    const { file } = await converted(
      await foreignGlb({ ...ownNames, looks: '-Z', vrm1: undefined, vrm0: licensed0 }),
      format,
    );
    const json =
      format === 'glb' ? glbJson<{ asset: object }>(file) : JSON.parse(Buffer.from(file).toString());
    expect(json.asset).toMatchObject({
      copyright: 'Studio K, CC_BY, https://creativecommons.org/licenses/by/4.0/',
    });
  },
);
const licensed0 = (): unknown => ({ specVersion: '0.0', meta: { author: 'Studio K', licenseName: 'CC_BY' } });

test('a VRM whose words are no VRM’s is a head all the same', async () => {
  const odd = withJson(await foreignGlb(), (json) => {
    json.extensions = {
      VRMC_vrm: {
        meta: { name: 7, authors: 'nobody', thumbnailImage: 99, avatarPermission: 'anyone' },
        humanoid: { humanBones: { head: { node: 99 }, tail: { node: 0 } } },
        expressions: {
          preset: { aa: { morphTargetBinds: [{ node: 99, index: 0 }, 5, { node: 0, index: -1 }] } },
          custom: [],
        },
      },
    };
  });
  const { json } = await converted(odd, 'vrm');
  expect(json!.extensions.VRMC_vrm!.meta).toMatchObject({
    ...{ name: 'file name', authors: ['unknown'], avatarPermission: 'onlyAuthor' },
  });
  expect(json!.nodes[json!.extensions.VRMC_vrm!.humanoid.humanBones.head!.node]!.name).toBe('Head');
});
