import { appRotations, poseOfRotations } from '@likeness/gltf/formats/live_link_rotations.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { ArkitFace } from './arkit_face.ts';

/**
 * The datagrams of Epic's Live Link Face app, as Unreal's `AppleARKitLiveLinkSource` reads them, all big
 * endian:
 *
 * - version (one byte, 6), device id and subject name (each a length in four bytes, then UTF-8)
 * - frame number (int32), sub-frame (float32), frame rate as numerator and denominator (int32 each)
 * - a count (one byte) and as many float32: 61 values, ARKit's 52 in Apple's order, then yaw, pitch and roll
 * of the head and of each eye
 *
 * A count of 0 means that no face is visible.
 */
export interface LiveLinkFrame {
  /** Identifies a device for as long as it sends; the app has a UUID. */
  deviceId: string;
  /** The name under which Unreal lists it. */
  subject: string;
  /** Frames since midnight, with a fraction, at `frameRate`. */
  frame: number;
  /** Hertz. */
  frameRate: number;
}

const version = 6;
const values = 61;
const channels = arkitBlendshapeNames.length;

/** Maximum bytes of a name in a datagram, and of a datagram. */
const maxNameBytes = 256;
export const maxLiveLinkBytes = 1 + 2 * (4 + maxNameBytes) + 17 + 255 * 4;

/** @param face null: no face is visible */
export function encodeLiveLink(
  { deviceId, subject, frame, frameRate }: LiveLinkFrame,
  face: ArkitFace | null,
): Buffer {
  const id = Buffer.from(deviceId, 'utf8');
  const name = Buffer.from(subject, 'utf8');
  const packet = Buffer.alloc(1 + 4 + id.length + 4 + name.length + 17 + (face ? values * 4 : 0));
  let at = packet.writeUInt8(version);
  at = packet.writeInt32BE(id.length, at);
  at += id.copy(packet, at);
  at = packet.writeInt32BE(name.length, at);
  at += name.copy(packet, at);
  const whole = Math.floor(frame);
  at = packet.writeInt32BE(whole, at);
  at = packet.writeFloatBE(frame - whole, at);
  at = packet.writeInt32BE(Math.round(frameRate), at);
  at = packet.writeInt32BE(1, at);
  at = packet.writeUInt8(face ? values : 0, at);
  if (!face) return packet;
  for (const weight of face.weights) at = packet.writeFloatBE(weight, at);
  for (const angle of appRotations(face)) at = packet.writeFloatBE(angle, at);
  return packet;
}

/** Why a datagram is rejected. */
export type LiveLinkFault = 'version' | 'cut_off' | 'count' | 'value';

/**
 * @returns the face, null if the sender sees none; or the problem of the datagram. Never throws: the data
 * comes from the network
 */
export function decodeLiveLink(
  packet: Buffer,
): { frame: LiveLinkFrame; face: ArkitFace | null } | { fault: LiveLinkFault } {
  if (packet[0] !== version) return { fault: 'version' };
  let at = 1;
  const text = (): string | null => {
    if (packet.length < at + 4) return null;
    const length = packet.readInt32BE(at);
    at += 4;
    if (length < 0 || length > maxNameBytes || packet.length < at + length) return null;
    at += length;
    return packet.toString('utf8', at - length, at).replace(/\p{Cc}/gu, '');
  };
  const deviceId = text();
  const subject = deviceId === null ? null : text();
  if (deviceId === null || subject === null || packet.length < at + 16) return { fault: 'cut_off' };
  const [whole, part] = [packet.readInt32BE(at), packet.readFloatBE(at + 4)];
  const [numerator, denominator] = [packet.readInt32BE(at + 8), packet.readInt32BE(at + 12)];
  const frameRate = numerator / denominator;
  if (!(frameRate > 0 && frameRate <= 1000) || !(part >= 0 && part <= 1)) return { fault: 'value' };
  const frame = { deviceId, subject, frame: whole + part, frameRate };
  at += 16;
  const count = packet[at] ?? 0;
  if (count === 0) return { frame, face: null };
  if (count !== values) return { fault: 'count' };
  if (packet.length < at + 1 + values * 4) return { fault: 'cut_off' };
  const all = Float32Array.from({ length: values }, (_, index) => packet.readFloatBE(at + 1 + index * 4));
  if (!all.every((value) => Math.abs(value) < 10)) return { fault: 'value' };
  return {
    frame,
    face: {
      weights: all.slice(0, channels).map((weight) => Math.min(1, Math.max(0, weight))),
      ...poseOfRotations([...all.subarray(channels)]),
    },
  };
}
