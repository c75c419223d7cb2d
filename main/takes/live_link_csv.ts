import { arkitBlendshapeNames } from '#proto/blendshapes.ts';
import type { PlayableFace } from '#proto/take_stream.ts';
import { appRotations } from '../base/live_link_rotations.ts';
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
 * Frame rate of the time codes. The app knows 30 and 60, and Unreal's importer tells them apart by whether a
 * frame beyond 30 occurs: a face of another rate gets fractional frames at its own times.
 */
const timecodeRate = (frameRate: number): 30 | 60 => (frameRate > 30 ? 60 : 30);

/**
 * A take as Epic's Live Link Face app writes it: one row a frame, 52 ARKit channels and nine rotations. All
 * values are numbers with ten decimals, with the app's own line ends, so csvLine's quoting and guard are not
 * needed.
 *
 * @param startOfDay seconds since midnight at which the take begins
 */
export function liveLinkCsv({ channelNames, frameRate, frames }: PlayableFace, startOfDay: number): string {
  const places = order.map((name) => channelNames.indexOf(name));
  const rate = timecodeRate(frameRate);
  const rows = frames.map((frame) => {
    const values = [
      ...places.map((place) => (place < 0 ? 0 : frame.weights[place]!)),
      ...appRotations(frame),
    ];
    return `${timecode(startOfDay + frame.timeCode, rate)},61,${values.map((value) => (value === 0 ? 0 : value).toFixed(10)).join(',')}`;
  });
  return `${[liveLinkColumns.join(','), ...rows].join('\n')}\n`;
}
