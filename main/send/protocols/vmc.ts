import { builtInTables } from '@likeness/gltf/formats/names/built_in_tables.ts';
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { HeadPose } from '@likeness/proto/face_stream_protocol.ts';
import { fromBuffer, type OscMessageInput, type OscPacketOutput, toBuffer } from 'osc-min';
import type { SendNames } from '#contract';
import type { ArkitFace } from './arkit_face.ts';
import type { NameFace } from './expression_names.ts';

/**
 * The Virtual Motion Capture protocol: OSC messages over UDP, https://protocol.vmc.info. Its space is
 * Unity's: left-handed, +Y up, the avatar looks along +Z, metres.
 */

/**
 * Offset of the head's joint from the neck's. Positions in the protocol are relative to the parent, and a
 * receiver that applies them would put a head at 0 into the neck. Most use only the rotation.
 */
const headOverNeck = 0.1;

/** Our space mirrored: a person's left is at −X there. */
const toUnity = ({ translation: [x, y, z], rotation: [qx, qy, qz, qw] }: HeadPose): HeadPose => ({
  translation: [-x, y, z],
  rotation: [qx, -qy, -qz, qw],
});

const bundleMark = Buffer.from('#bundle\0');

const float = (value: number) => ({ type: 'float' as const, value });

/** Maximum bytes of a datagram without fragmentation on Ethernet: 1,500 minus the IP and UDP headers. */
const maxDatagramBytes = 1472;

const bytesOf = (packet: OscMessageInput): Buffer => {
  const { buffer, byteOffset, byteLength } = toBuffer(packet);
  return Buffer.from(buffer, byteOffset, byteLength);
};

/** `#bundle` and the time tag “immediately”: a receiver with another clock does not wait. */
const bundleHead = Buffer.concat([bundleMark, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])]);

/** Packs messages into as few bundles as fit into datagrams, in order. */
function bundlesOf(messages: readonly OscMessageInput[]): Buffer[] {
  const bundles: Buffer[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const packed = bytesOf(message);
    const size = Buffer.alloc(4);
    size.writeInt32BE(packed.length);
    if (bytes + 4 + packed.length > maxDatagramBytes) {
      bundles.push([bundleHead]);
      bytes = bundleHead.length;
    }
    bundles.at(-1)?.push(size, packed);
    bytes += 4 + packed.length;
  }
  return bundles.map((parts) => Buffer.concat(parts));
}

/**
 * Encodes one frame as one or several datagrams, each a bundle; the last ends with `Apply`, which completes
 * the face.
 *
 * @param seconds since the sender began
 */
export function encodeVmc(face: ArkitFace, nameFace: NameFace, seconds: number): Buffer[] {
  const { translation, rotation } = toUnity(face.headPose);
  const [x, y, z] = translation;
  return bundlesOf([
    { address: '/VMC/Ext/OK', args: [{ type: 'integer', value: 1 }] },
    { address: '/VMC/Ext/T', args: [float(seconds)] },
    {
      address: '/VMC/Ext/Bone/Pos',
      args: ['Head', ...[x, y + headOverNeck, z].map(float), ...rotation.map(float)],
    },
    ...nameFace(face.weights).map(([name, value]) => ({
      address: '/VMC/Ext/Blend/Val',
      args: [name, float(value)],
    })),
    { address: '/VMC/Ext/Blend/Apply', args: [] },
  ]);
}

const tables: readonly SendNames[] = ['arkit', 'vrm', 'vrm0'];
/** Channels for another sender's names: always ARKit's names, otherwise VRM's. */
const meanings = new Map(
  tables.flatMap((table) =>
    builtInTables[table].map(
      ({ name, alternatives }): [string, { isArkit: boolean; parts: [number, number][] }] => [
        name.toLowerCase(),
        {
          isArkit: table === 'arkit',
          parts: (alternatives.at(-1) ?? []).flatMap(({ shape, weight }): [number, number][] => {
            const channel = (arkitBlendshapeIndex as Readonly<Record<string, number>>)[shape];
            return channel === undefined ? [] : [[channel, weight]];
          }),
        },
      ],
    ),
  ),
);

/**
 * Maximum bundles in one datagram: senders use one; thousands of nested ones would take a third of a second.
 */
const maxBundles = 8;

function hasManyBundles(packet: Buffer): boolean {
  let count = 0;
  for (let at = packet.indexOf(bundleMark); at >= 0; at = packet.indexOf(bundleMark, at + 1)) {
    count += 1;
    if (count > maxBundles) return true;
  }
  return false;
}

/** Maximum remembered names per sender: a flood of new ones must not fill the memory. */
const maxNames = 256;

/** Reads another program's frames, which may span several datagrams: `Apply` completes a face. */
export class VmcReader {
  readonly #values = new Map<string, number>();
  #headPose: HeadPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };

  /** @returns the faces that the datagram completes; null if it is not of this protocol. Never throws. */
  accept(packet: Buffer): ArkitFace[] | null {
    if (hasManyBundles(packet)) return null;
    let read: OscPacketOutput;
    try {
      read = fromBuffer(packet);
    } catch {
      return null;
    }
    const faces: ArkitFace[] = [];
    return this.#take(read, faces) ? faces : null;
  }

  /** @returns whether anything of the protocol was in it */
  #take(packet: OscPacketOutput, faces: ArkitFace[]): boolean {
    if (packet.oscType === 'bundle') {
      return packet.elements.map((element) => this.#take(element, faces)).includes(true);
    }
    const { address } = packet;
    const args = packet.args.map((arg) => ('value' in arg ? arg.value : null));
    switch (address) {
      case '/VMC/Ext/Blend/Val': {
        const [name, value] = args;
        if (typeof name !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) return false;
        const key = name.toLowerCase();
        if (meanings.has(key) && (this.#values.has(key) || this.#values.size < maxNames))
          this.#values.set(key, Math.min(1, Math.max(0, value)));
        return true;
      }
      case '/VMC/Ext/Bone/Pos':
        if (args[0] === 'Head') this.#turnHead(args.slice(1));
        return true;
      case '/VMC/Ext/Blend/Apply':
        faces.push(this.#face());
        return true;
      default:
        return address.startsWith('/VMC/Ext/');
    }
  }

  #turnHead(numbers: readonly unknown[]): void {
    const [, , , qx, qy, qz, qw] = numbers.map(Number);
    const length = Math.hypot(qx!, qy!, qz!, qw!);
    if (!(length > 0.5 && length < 2)) return;
    // Its position is the joint's place in its body, not the head's movement.
    this.#headPose = toUnity({
      translation: [0, 0, 0],
      rotation: [qx! / length, qy! / length, qz! / length, qw! / length],
    });
  }

  #face(): ArkitFace {
    const weights = new Float32Array(arkitBlendshapeNames.length);
    const entries = [...this.#values].map(([name, value]) => ({ ...meanings.get(name)!, value }));
    // A sender of ARKit's channels sends the derived vowels only for other receivers.
    const hasArkit = entries.some(({ isArkit }) => isArkit);
    for (const { isArkit, parts, value } of entries) {
      if (hasArkit && !isArkit) continue;
      for (const [channel, weight] of parts)
        weights[channel] = Math.min(1, weights[channel]! + weight * value);
    }
    return {
      weights,
      headPose: this.#headPose,
      eyeGaze: { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 },
    };
  }
}
