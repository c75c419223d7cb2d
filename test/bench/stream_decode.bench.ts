/**
 * How much faster than it plays a stream of face frames is decoded: 10 minutes at 60 frames per second, 52
 * ARKit channels and 15 visemes, head pose and gaze in every frame, in the 16 KiB chunks that HTTP brings.
 * In the same run: the same stream through a user's own schema, and one that carries a mesh as well.
 */

import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { encodeEnd, encodeFrame, encodeHeader, FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceStreamReader } from '@likeness/proto/face_stream_protocol.ts';
import { delimit } from '@likeness/proto/framing.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { loadUserSchema } from '@likeness/proto/user_schema/user_schema.ts';
import { UserSchemaDecoder } from '@likeness/proto/user_schema/user_schema_decoder.ts';
import protobuf from 'protobufjs';
import { report } from './limits.ts';

const seconds = 600;
const frameRate = 60;
const frameCount = seconds * frameRate;
const channelNames = [...arkitBlendshapeNames, ...oculusVisemeNames];
const chunkBytes = 16 * 1024;

const own = decodeTimes(likenessBody(frameCount, 0), frameCount, () => new FaceStreamDecoder());
const user = userStream();
const userTimes = decodeTimes(user.body, frameCount, user.newReader);
// A mesh of 5,000 vertices is 200 times the bytes: 20 seconds of it say enough.
const meshFrames = 20 * frameRate;
const mesh = decodeTimes(likenessBody(meshFrames, 5000), meshFrames, () => new FaceStreamDecoder());

report({
  name: 'decoding a 10-minute 60 fps stream',
  value: seconds / percentile(own, 0.5),
  unit: '× realtime',
  limit: 2000,
  kind: 'least',
});
console.log(
  `  the same through a user's schema: ${Math.round(seconds / percentile(userTimes, 0.5))} × realtime`,
);
console.log(`  with a mesh of 5,000 vertices: ${Math.round(20 / percentile(mesh, 0.5))} × realtime`);

/** Seconds of five whole decodings, each read from the first byte to the last as a consumer would. */
function decodeTimes(body: Uint8Array, expected: number, newReader: () => FaceStreamReader): number[] {
  return Array.from({ length: 5 }, () => {
    const started = performance.now();
    const reader = newReader();
    let frames = 0;
    let sum = 0;
    for (let start = 0; start < body.length; start += chunkBytes) {
      for (const message of reader.push(body.subarray(start, start + chunkBytes))) {
        if (message.kind !== 'frame') continue;
        frames += 1;
        sum += message.weights[17] ?? 0;
      }
    }
    for (const message of reader.finish()) if (message.kind === 'frame') frames += 1;
    const took = (performance.now() - started) / 1000;
    if (frames !== expected || !Number.isFinite(sum)) throw new Error(`${frames} frames of ${expected}`);
    return took;
  });
}

function likenessBody(frames: number, vertexCount: number): Uint8Array {
  const parts: Uint8Array[] = [
    encodeHeader({
      traceId: 'b0c7d4be-9f7f-4a39-8a43-1f3f3c1ab0ff',
      frameRate,
      channelNames,
      mesh: vertexCount > 0 ? { vertexCount, triangleIndices: new Uint32Array(0) } : undefined,
    }),
  ];
  const vertices = vertexCount > 0 ? new Float32Array(vertexCount * 3).fill(0.125) : undefined;
  for (let index = 0; index < frames; index++) {
    parts.push(
      encodeFrame({
        timeCode: index / frameRate,
        weights: weightsAt(index),
        headPose: { translation: [0.01, 0.02, 0.03], rotation: [0, 0.6, 0, 0.8] },
        eyeGaze: { leftYaw: 0.1, leftPitch: 0.05, rightYaw: 0.1, rightPitch: 0.05 },
        vertices,
      }),
    );
  }
  parts.push(encodeEnd({ frameCount: frames, duration: frames / frameRate }));
  return Buffer.concat(parts);
}

function userStream(): { body: Uint8Array; newReader: () => FaceStreamReader } {
  const proto = 'syntax = "proto3"; message Frame { double t = 1; repeated float w = 2; }';
  const schema = loadUserSchema(proto, {
    message: 'Frame',
    framing: 'length-delimited',
    frames: '',
    weights: 'w',
    timeCode: 't',
    timeCodeUnit: 'seconds',
    names: '',
    channels: channelNames,
    frameRate,
  });
  const type = protobuf.parse(proto).root.lookupType('Frame');
  const parts = Array.from({ length: frameCount }, (_, index) =>
    delimit(Uint8Array.from(type.encode({ t: index / frameRate, w: weightsAt(index) }).finish())),
  );
  return { body: Buffer.concat(parts), newReader: () => new UserSchemaDecoder(schema) };
}

/** Weights that all differ, so that nothing is cheap because it repeats. */
function weightsAt(frame: number): Float32Array {
  return Float32Array.from(channelNames, (_, channel) => Math.abs(Math.sin(frame * 0.1 + channel)));
}
