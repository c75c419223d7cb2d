import { builtInExpressions } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { Mesh, type Object3D } from 'three';

/** A face shape by name, on every mesh that has it: skin, teeth and lashes move together. */
export interface Morph {
  readonly name: string;
  /** 0..1, though nothing stops a file from going beyond. */
  weight(): number;
  set(weight: number): void;
}

/** The morph targets under `head`, merged by name, in the order of the file. */
export function morphsOf(head: Object3D): Morph[] {
  const targets = new Map<string, { weights: number[]; at: number }[]>();
  head.traverse((node) => {
    if (!(node instanceof Mesh) || !node.morphTargetDictionary || !node.morphTargetInfluences) return;
    for (const [name, at] of Object.entries(node.morphTargetDictionary)) {
      const those = targets.get(name) ?? [];
      those.push({ weights: node.morphTargetInfluences, at });
      targets.set(name, those);
    }
  });
  return [...targets].map(([name, those]) => ({
    name,
    weight: () => those[0]?.weights[those[0].at] ?? 0,
    set: (weight) => {
      for (const { weights, at } of those) weights[at] = weight;
    },
  }));
}

export const morphGroups = ['brows', 'eyes', 'cheeks', 'mouth', 'visemes', 'others'] as const;
export type MorphGroup = (typeof morphGroups)[number];

/** A channel's name normalised for look-up, whatever spelling the file uses. */
export function groupOf(name: string): MorphGroup {
  if (/viseme|^v_/i.test(name)) return 'visemes';
  if (/brow/i.test(name)) return 'brows';
  if (/eye|blink|squint|look/i.test(name)) return 'eyes';
  if (/cheek|nose/i.test(name)) return 'cheeks';
  if (/mouth|jaw|tongue|lip|smile|teeth/i.test(name)) return 'mouth';
  return 'others';
}

type Weights = Readonly<Record<string, number>>;

/** Expressions to judge a head by, in ARKit's channels. */
export const presets = {
  smile: builtInExpressions.joy,
  laugh: {
    jawOpen: 0.42,
    mouthSmileLeft: 1,
    mouthSmileRight: 1,
    mouthUpperUpLeft: 0.35,
    mouthUpperUpRight: 0.35,
    cheekSquintLeft: 0.9,
    cheekSquintRight: 0.9,
    eyeSquintLeft: 0.6,
    eyeSquintRight: 0.6,
  },
  surprise: builtInExpressions.surprise,
  anger: builtInExpressions.anger,
  sadness: builtInExpressions.sadness,
  blink: { eyeBlinkLeft: 1, eyeBlinkRight: 1 },
  openMouth: { jawOpen: 0.8 },
  kiss: { mouthPucker: 0.9, mouthFunnel: 0.2 },
  wink: {
    eyeBlinkLeft: 1,
    eyeSquintLeft: 0.5,
    cheekSquintLeft: 0.5,
    mouthSmileLeft: 0.5,
    mouthSmileRight: 0.2,
  },
  disgust: builtInExpressions.disgust,
} as const satisfies Record<string, Weights>;
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

/** True where the head has all that the expression moves. */
export const canShow = (morphs: readonly Morph[], preset: PresetName): boolean => {
  const names = new Set(morphs.map(({ name }) => name));
  return Object.keys(presets[preset]).every((name) => names.has(name));
};

/** Sets every shape: those of the expression to their weights, all others to 0. */
export function pose(morphs: readonly Morph[], weights: Weights): void {
  for (const morph of morphs) morph.set(weights[morph.name] ?? 0);
}

/** The name of the same shape on the other side; null for one that has no side. */
export function otherSide(name: string): string | null {
  const swapped = name.replace(/Left|Right|(?<=[_.])[LR]$/, (side) =>
    side === 'Left' ? 'Right' : side === 'Right' ? 'Left' : side === 'L' ? 'R' : 'L',
  );
  return swapped === name ? null : swapped;
}

/** The present face: the shapes that are not at 0. */
export const weightsOf = (morphs: readonly Morph[]): Record<string, number> =>
  Object.fromEntries(
    morphs.map((morph) => [morph.name, morph.weight()] as const).filter(([, weight]) => weight !== 0),
  );
