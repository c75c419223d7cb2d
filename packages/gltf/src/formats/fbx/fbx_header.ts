import type { Motion } from '../scene/motion.ts';
import { creationTime, double, type FbxNode, fileId, int, long, node, raw, text } from './fbx_binary.ts';
import {
  enumeration,
  type FbxObjects,
  integer,
  number,
  properties,
  property,
  string,
  ticks,
  time,
} from './fbx_objects.ts';

const creator = 'Likeness Studio';

/**
 * FBX has a number for each common frame rate (`FbxTime::EMode`); any other rate is "custom", with its value
 * beside it.
 */
const timeModes: ReadonlyMap<number, number> = new Map([
  [120, 1],
  [100, 2],
  [60, 3],
  [50, 4],
  [48, 5],
  [30, 6],
  [30_000 / 1001, 8],
  [25, 10],
  [24, 11],
  [24_000 / 1001, 13],
  [60_000 / 1001, 17],
]);
const customTime = 14;

/** Returns the part before the objects, with the date that the fixed checksum belongs to. */
export function fbxHeader(objects: FbxObjects, motions: readonly Motion[]): FbxNode[] {
  const first = motions[0];
  return [
    node(
      'FBXHeaderExtension',
      [],
      [
        node('FBXHeaderVersion', [int(1003)]),
        node('FBXVersion', [int(7400)]),
        node('EncryptionType', [int(0)]),
        node(
          'CreationTimeStamp',
          [],
          [
            node('Version', [int(1000)]),
            node('Year', [int(1970)]),
            node('Month', [int(1)]),
            node('Day', [int(1)]),
            node('Hour', [int(10)]),
            node('Minute', [int(0)]),
            node('Second', [int(0)]),
            node('Millisecond', [int(0)]),
          ],
        ),
        node('Creator', [text(creator)]),
      ],
    ),
    node('FileId', [raw(Buffer.from(fileId, 'hex'))]),
    node('CreationTime', [text(creationTime)]),
    node('Creator', [text(creator)]),
    settings(first),
    node(
      'Documents',
      [],
      [
        node('Count', [int(1)]),
        node(
          'Document',
          [long(objects.id()), text('Scene'), text('Scene')],
          [
            properties(
              property('SourceObject', 'object', '', ''),
              string('ActiveAnimStackName', first?.name ?? ''),
            ),
            node('RootNode', [long(0)]),
          ],
        ),
      ],
    ),
    node('References'),
    node(
      'Definitions',
      [],
      [
        node('Version', [int(100)]),
        node('Count', [int(1 + [...objects.counts.values()].reduce((a, b) => a + b, 0))]),
        node('ObjectType', [text('GlobalSettings')], [node('Count', [int(1)])]),
        ...[...objects.counts].map(([name, count]) =>
          node('ObjectType', [text(name)], [node('Count', [int(count)])]),
        ),
      ],
    ),
  ];
}

/**
 * Global settings: Y up, +Z to the front, right-handed, as in glTF. Units are centimetres, FBX's default:
 * Unreal reads the numbers as centimetres, and Unity and Blender multiply them by UnitScaleFactor / 100 to
 * metres.
 */
function settings(motion: Motion | undefined): FbxNode {
  const rate = motion?.rate ?? 30;
  const mode = timeModes.get(rate) ?? customTime;
  return node(
    'GlobalSettings',
    [],
    [
      node('Version', [int(1000)]),
      properties(
        integer('UpAxis', 1),
        integer('UpAxisSign', 1),
        integer('FrontAxis', 2),
        integer('FrontAxisSign', 1),
        integer('CoordAxis', 0),
        integer('CoordAxisSign', 1),
        integer('OriginalUpAxis', 1),
        integer('OriginalUpAxisSign', 1),
        number('UnitScaleFactor', 1),
        number('OriginalUnitScaleFactor', 1),
        property('AmbientColor', 'ColorRGB', 'Color', '', double(0), double(0), double(0)),
        string('DefaultCamera', 'Producer Perspective'),
        enumeration('TimeMode', mode),
        time('TimeSpanStart', ticks(motion?.start ?? 0)),
        time('TimeSpanStop', ticks(motion?.end ?? 1)),
        number('CustomFrameRate', mode === customTime ? rate : -1),
      ),
    ],
  );
}
