/**
 * Draws heads of nobody with the engine's own rasteriser, with exact masks: people also load drawings and renders.
 *
 * node draw_heads.ts FOLDER COUNT
 *
 * Writes photos/, masks/hair, masks/person and an empty flags.json, as build_data.py reads them. Faces and cuts are the
 * invented heads' and the mean one's; colours, turns and backgrounds are drawn from a fixed seed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { drawnAppearance } from '@likeness/synthetic-heads/drawn_appearance.ts';
import { type InventedHead, inventedHeads } from '@likeness/synthetic-heads/invented_heads.ts';
import { fitPortrayed, restingFace } from '@likeness/synthetic-heads/resting_face.ts';
import sharp from 'sharp';
import { buildHead } from '../../src/assembly/assemble_head.ts';
import type { HeadModel } from '../../src/contract/head_model.ts';

const [folder = '', count = '30'] = process.argv.slice(2);
const size = 640;
let state = 20261128;
const next = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const between = (low: number, high: number): number => low + (high - low) * next();

/** The head with hair white and all else black, or all of it white. */
function marked(model: HeadModel, isWhite: (name: string) => boolean): HeadModel {
  const materials: HeadModel['materials'][number][] = [];
  const rasters: HeadModel['rasters'][number][] = [];
  const surfaces = model.surfaces.map((surface) => {
    const value = isWhite(surface.name) ? 1 : 0;
    const { roughnessTexture, normalTexture, texture, ...material } = model.materials[surface.material]!;
    const raster = texture === undefined ? undefined : model.rasters[texture];
    if (raster) {
      // Its own transparency stays.
      const data = raster.data.map((own, i) => (raster.channels === 4 && i % 4 === 3 ? own : 255 * value));
      rasters.push({ ...raster, data });
    }
    materials.push({
      ...material,
      colour: [value, value, value, material.colour[3]],
      ...(raster && { texture: rasters.length - 1 }),
    });
    const { colours, ...rest } = surface;
    return { ...rest, material: materials.length - 1, ...(colours && { colours: colours.map(() => value) }) };
  });
  return { ...model, surfaces, materials, rasters };
}

for (const kind of ['photos', 'masks/hair', 'masks/person'])
  mkdirSync(join(folder, kind), { recursive: true });
writeFileSync(join(folder, 'flags.json'), JSON.stringify({ bald: [], stubble: [], drop: [] }));
const kinds: readonly (Pick<InventedHead, 'sex' | 'face'> & Partial<InventedHead>)[] = [
  ...Object.values(inventedHeads),
  { sex: 'female', face: restingFace },
  { sex: 'male', face: restingFace },
];
for (let n = 0; n < Number(count); n++) {
  const { sex, face, cut } = kinds[n % kinds.length]!;
  const tone = between(0.25, 1);
  const skin = [225 * tone, between(165, 190) * tone, between(135, 165) * tone] as const;
  const dark = between(0.15, 0.95);
  const hair = [200 * dark, between(140, 195) * dark, between(90, 190) * dark] as const;
  const fit = fitPortrayed(face);
  const appearance = drawnAppearance(fit, { skin, hair, iris: [104, 82, 58] }, sex, cut);
  const model = buildHead({ fit, appearance, sex, extras: {} });
  const view = {
    size,
    height: between(0.36, 0.5),
    middle: 0.15,
    yaw: between(-28, 28),
    pitch: between(-8, 8),
    unlit: next() < 0.6,
  };
  const name = `drawn-${n}`;
  const grey = between(20, 235);
  const background = [grey, grey + between(-20, 20), grey + between(-20, 20)] as const;
  const save = async (
    drawn: HeadModel,
    path: string,
    ground: readonly [number, number, number],
    unlit = true,
  ) => {
    const { data } = renderHead(drawn, { ...view, unlit, background: ground });
    await sharp(data, { raw: { width: size, height: size, channels: 4 } })
      .removeAlpha()
      .toFile(join(folder, path));
  };
  await save(model, `photos/${name}.jpg`, background, view.unlit);
  await save(
    marked(model, (surface) => surface.startsWith('Hair')),
    `masks/hair/${name}.png`,
    [0, 0, 0],
  );
  await save(
    marked(model, () => true),
    `masks/person/${name}.png`,
    [0, 0, 0],
  );
}
