import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import type { Handlers } from '#contract';
import { trackedChannels } from './receive/udp_receiver.ts';
import type { Sending } from './sending.ts';

/** Assumed frame rate of a tracker that reports none. */
const nominalRate = 60;

/** Implements the room `send` of the contract. */
export function sendCalls(sending: Sending): Handlers['send'] {
  return {
    state: () => sending.state(),
    addTarget: (fields) => sending.addTarget(fields),
    changeTarget: ({ id, changes }) => sending.changeTarget(id, changes),
    removeTarget: ({ id }) => sending.removeTarget(id),
    testTarget: ({ id }) => sending.testTarget(id),
    changeViewers: (changes) => sending.changeViewers(changes),
    renewViewerTokens: () => sending.renewViewerTokens(),
    receive: (wanted) => sending.receive(wanted),
    playTake: (wanted) => sending.playTake(wanted),
    movePlayed: (to) => sending.movePlayed(to),
    stopTake: () => sending.stopTake(),
    async tracked(_options, stream) {
      stream.send(
        encodeBareMessage({
          kind: 'header',
          traceId: 'tracker',
          frameRate: nominalRate,
          channelNames: trackedChannels,
          mesh: undefined,
        }),
      );
      let index = 0;
      const stop = sending.onTracked((frame) => {
        stream.send(encodeBareMessage({ ...frame, index }));
        index += 1;
      });
      await new Promise<void>((resolve) => stream.onClose(() => resolve()));
      stop();
    },
  };
}
