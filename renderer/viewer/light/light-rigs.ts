import type { LightRigName } from '../appearance.ts';

/** Where a lamp stands (metres, the head at the origin looking along +z), its colour and strength. */
type Lamp = readonly [position: readonly [number, number, number], colour: string, strength: number];

interface Rig {
  lamps: readonly Lamp[];
  /** Strength of what comes from all around, as reflections too. */
  room: number;
}

// Classic portrait set-ups, made here so that nothing is fetched.
export const rigs: Record<LightRigName, Rig> = {
  studio: {
    lamps: [
      [[1.4, 1.3, 1.8], '#fff3e6', 2.3],
      [[-1.8, 0.3, 1.2], '#dfe9ff', 0.7],
      [[-0.8, 1.4, -1.8], '#ffffff', 1.8],
    ],
    room: 0.3,
  },
  soft: { lamps: [[[0, 1.6, 1.6], '#ffffff', 0.8]], room: 0.85 },
  window: {
    lamps: [
      [[-2.2, 0.9, 1], '#eaf1ff', 3.2],
      [[1.8, 0.2, 0.4], '#ffe6cc', 0.25],
    ],
    room: 0.16,
  },
  edge: {
    lamps: [
      [[1.6, 0.7, -1.5], '#fff1e0', 4.5],
      [[-1.6, 0.7, -1.5], '#e2ecff', 4.5],
      [[0, 0.4, 2], '#ffffff', 0.35],
    ],
    room: 0.1,
  },
};
