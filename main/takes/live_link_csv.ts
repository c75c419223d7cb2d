import { arkitBlendshapeNames } from '#proto/blendshapes.ts';
import type { EyeGaze, HeadPose } from '#proto/face_stream_protocol.ts';
import type { PlayableFace } from '#proto/take_stream.ts';
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

/** Yaw about +Y, pitch about +X, roll about +Z, radians, right-handed, turned in this order. */
function eulerOf({ rotation: [x, y, z, w] }: HeadPose): { yaw: number; pitch: number; roll: number } {
  return {
    yaw: Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)),
    pitch: Math.asin(Math.max(-1, Math.min(1, 2 * (w * x - y * z)))),
    roll: Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)),
  };
}

/**
 * The nine rotations as the app has them, radians: Unreal's, whose axes are left-handed. Yaw towards the
 * face's own left is negative, pitch downwards positive, roll the other way round. Public recordings of the
 * app show it for the eyes, beside EyeLookOut and EyeLookUp; Unreal's ARKit plugin treats the head alike.
 */
function appRotations({ headPose, eyeGaze }: PlayableFace['frames'][number]): number[] {
  const { yaw, pitch, roll } = eulerOf(headPose ?? rest);
  const { leftYaw, leftPitch, rightYaw, rightPitch } = eyeGaze ?? ahead;
  return [-yaw, pitch, -roll, -leftYaw, -leftPitch, 0, -rightYaw, -rightPitch, 0];
}

/**
 * Frame rate of the time codes. The app knows 30 and 60, and Unreal's importer tells them apart by whether a
 * frame beyond 30 occurs: a face of another rate gets fractional frames at its own times.
 */
const timecodeRate = (frameRate: number): 30 | 60 => (frameRate > 30 ? 60 : 30);

const rest: HeadPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };
const ahead: EyeGaze = { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };

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
