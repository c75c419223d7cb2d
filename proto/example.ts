import { encodeEnd, encodeFrame, encodeHeader, FaceStreamDecoder } from '@likeness/proto/face_stream.ts';

const chunks = [
  encodeHeader({ traceId: 'take-1', frameRate: 60, channelNames: ['jawOpen', 'mouthClose'] }),
  encodeFrame({ timeCode: 0, weights: Float32Array.of(0.5, 0.25) }),
  encodeFrame({ timeCode: 1 / 60, weights: Float32Array.of(0.75, 0) }),
  encodeEnd({ frameCount: 2, duration: 2 / 60 }),
];

const decoder = new FaceStreamDecoder();
for (const chunk of chunks)
  for (const message of decoder.push(chunk))
    console.log(message.kind, message.kind === 'frame' ? [...message.weights] : '');
for (const message of decoder.finish()) console.log(message.kind);
