import { appRotations } from '@likeness/gltf/formats/live_link_rotations.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { tenDecimals } from './decimal_text.ts';
import { rowChunks } from './row_chunks.ts';
import { timecode } from './timecode.ts';

/** Channels in the order of the app's files: Apple's, but right before left for jaw and mouth. */
const order = arkitBlendshapeNames.map((name) => {
  if (name === 'jawLeft' || name === 'mouthLeft') return name.replace('Left', 'Right');
  if (name === 'jawRight' || name === 'mouthRight') return name.replace('Right', 'Left');
  return name;
});
const rotations = [
  'HeadYaw',
  'HeadPitch',
  'HeadRoll',
  'LeftEyeYaw',
  'LeftEyePitch',
  'LeftEyeRoll',
  'RightEyeYaw',
  'RightEyePitch',
  'RightEyeRoll',
];
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * The 63 columns. The app has written `BlendshapeCount` since 2023 and `BlendShapeCount` before (recordings
 * of both kinds are public); Unreal's importer, `LiveLinkFaceImporterFactory`, compares it without case.
 */
const liveLinkColumns: readonly string[] = [
  'Timecode',
  'BlendshapeCount',
  ...order.map(pascal),
  ...rotations,
];

/**
 * The frame base of the time codes. The app supports 30 and 60. Unreal's importer detects 60 by a frame
 * number above 30, and divides by one of the two. A face of any other rate (24, 29.97, 50, 120) gets
 * fractional frames at its own times, which is where the importer then sets its keys.
 */
const timecodeRate = (frameRate: number): 30 | 60 => (frameRate > 30 ? 60 : 30);

/**
 * Writes a take like Epic's Live Link Face app: one row per frame, 52 ARKit channels and nine rotations. All
 * values are numbers with ten decimals, with the app's line ends, so csvLine's quoting and guard are
 * unnecessary.
 *
 * @param startOfDay seconds since midnight at which the take begins
 */
export function liveLinkCsv(
  { channelNames, frameRate, frames }: PlayableFace,
  startOfDay: number,
): Iterable<string> {
  const channels = order.map((name) => channelNames.indexOf(name));
  const rate = timecodeRate(frameRate);
  return rowChunks(liveLinkColumns.join(','), frames, (frame) => {
    let row = `${timecode(startOfDay + frame.timeCode, rate)},61`;
    const { weights } = frame;
    for (const channel of channels) row += `,${tenDecimals(channel < 0 ? 0 : weights[channel]!)}`;
    for (const angle of appRotations(frame)) row += `,${tenDecimals(angle)}`;
    return row;
  });
}
