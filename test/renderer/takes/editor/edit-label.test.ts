import { initI18n } from '@likeness/messages/i18n.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { dictionary } from '../../../../renderer/frame/dictionary.ts';
import { editLabel } from '../../../../renderer/takes/editor/edits/edit-label.ts';

beforeAll(() => {
  if (!i18next.isInitialized)
    initI18n(i18next, { lng: 'en', defaultNS: 'app', ns: Object.keys(dictionary.en), resources: dictionary });
});

const key = (time: number, weight: number, preset = 'joy') =>
  ({ time, preset, weight, to: 'linear' }) as const;
const joy: TakeEdits = { ...noEdits, expressions: [key(1, 0), key(2, 0.6)] };
const half: TakeEdits = { ...noEdits, pieces: [{ from: 0, to: 2, speed: 1 }] };

test.each<[string, TakeEdits, EditOperation[]]>([
  ['Joy added', noEdits, [{ kind: 'expressions', keys: joy.expressions }]],
  ['Joy moved', joy, [{ kind: 'expressions', keys: [key(1.5, 0), key(2.5, 0.6)] }]],
  ['Joy changed', joy, [{ kind: 'expressions', keys: [key(1, 0), key(2, 0.9)] }]],
  ['Joy deleted', joy, [{ kind: 'expressions', keys: [] }]],
  [
    'Smirk added',
    joy,
    [
      { kind: 'preset', name: 'Smirk', weights: {} },
      { kind: 'expressions', keys: [...joy.expressions, key(4, 1, 'Smirk')] },
    ],
  ],
  ['Blinks moved', noEdits, [{ kind: 'blinks', blinks: { recorded: true, added: [] } }]],
  ['Blinks changed', noEdits, [{ kind: 'blinks', blinks: { recorded: false, added: [] } }]],
  ['Gaze added', noEdits, [{ kind: 'gaze', stretches: [{ from: 0, to: 1, yaw: 3, pitch: 0 }] }]],
  ['cut', half, [{ kind: 'pieces', pieces: [{ from: 0, to: 1, speed: 1 }] }]],
  ['changed the speed', half, [{ kind: 'pieces', pieces: [{ from: 0, to: 2, speed: 1.5 }] }]],
  ['Mouth changed', noEdits, [{ kind: 'region', region: 'mouth', changes: { gain: 2 } }]],
  ['drew the curve of jawOpen', noEdits, [{ kind: 'draw', channel: 'jawOpen', from: 0, to: 1, keys: [] }]],
  [
    'drew 2 curves',
    noEdits,
    ['jawOpen', 'mouthClose'].map((channel) => ({ kind: 'draw', channel, from: 0, to: 1, keys: [] })),
  ],
  ['Marker deleted', noEdits, [{ kind: 'marker', id: 'm', marker: null }]],
])('%s', (label, before, operations) => {
  expect(editLabel(before, operations)).toBe(label);
});
