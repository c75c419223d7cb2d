/** Lists of the room `send` that both sides need as values. No schema and no import, as in `constants.ts`. */

/** Protocols for sending faces, and their default ports. */
export const sendKinds = ['vmc', 'livelink'] as const;
export type SendKind = (typeof sendKinds)[number];
export const defaultPorts = { vmc: 39_539, livelink: 11_111, viewers: 39_570 } as const;

/** Frames a second. */
export const sendRates = [24, 25, 30, 50, 60, 120] as const;

/** Vocabularies of VMC channels: VRM 1.0's, VRM 0.x's, ARKit's, and ARKit's in “Perfect Sync” spelling. */
export const sendNames = ['vrm', 'vrm0', 'arkit', 'arkit-pascal'] as const;
export type SendNames = (typeof sendNames)[number];

export const receiverKinds = ['livelink', 'vmc'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/** The part of the head in a browser source. */
export const viewerFramings = ['shoulders', 'head', 'close', 'threeQuarter', 'profile'] as const;
