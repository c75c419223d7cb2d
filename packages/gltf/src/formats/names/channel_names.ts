import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';

const plain = (name: string): string =>
  (name.split('.').at(-1) ?? name).toLowerCase().replace(/[^a-z0-9]/g, '');

const arkitByPlain = new Map<string, string>(
  arkitBlendshapeNames.flatMap((name) => {
    // `eyeBlinkLeft` is `eyeBlink_L` in many rigs.
    const short = name.replace(/Left$/, 'L').replace(/Right$/, 'R');
    return [
      [plain(name), name],
      [plain(short), name],
    ] as [string, string][];
  }),
);
const visemeByPlain = new Map<string, string>(
  oculusVisemeNames.flatMap((name) => [
    [plain(name), name],
    [plain(name.replace('viseme_', 'v_')), name],
  ]),
);

/**
 * Returns the ARKit channel of a morph target's name, also of spellings like `blendShape1.jawOpen`, `eyeBlink_L` and
 * `JawOpen`; null if there is none.
 */
export const arkitChannelOf = (name: string): string | null => arkitByPlain.get(plain(name)) ?? null;

/** Returns the Oculus viseme of a morph target's name, also of the spelling `v_aa`; null if there is none. */
export const visemeOf = (name: string): string | null => visemeByPlain.get(plain(name)) ?? null;
