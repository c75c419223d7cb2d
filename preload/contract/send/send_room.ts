import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { receiverKinds, sendKinds, sendNames, sendRates, viewerFramings } from './send_constants.ts';

/** A host as typed: a name, or an IPv4 or IPv6 address. */
const address = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9._:%-]+$/, 'a host name or an IP address');
const port = z.number().int().min(1).max(65_535);
const rate = z.union([z.literal(sendRates[0]), ...sendRates.slice(1).map((value) => z.literal(value))]);

/** A target for faces, as the user entered it. */
export const SendTargetFields = z.object({
  kind: z.enum(sendKinds),
  address,
  port,
  /** Frames a second. */
  rate,
  /** The vocabulary of the channels, if the protocol leaves it open (VMC). */
  names: z.enum(sendNames),
  /** Nothing is sent while it is off. */
  on: z.boolean(),
});
export type SendTargetFields = z.output<typeof SendTargetFields>;

const Traffic = {
  packets: z.number().int(),
  perSecond: z.number(),
  /** The current problem; empty if it works or is off. */
  problem: Message,
};

const SendTarget = SendTargetFields.extend({
  id,
  ...Traffic,
  /** Packets that this machine or the target refused. */
  dropped: z.number().int(),
});
export type SendTarget = z.output<typeof SendTarget>;

const Receiver = z.object({
  kind: z.enum(receiverKinds),
  on: z.boolean(),
  port: z.number().int(),
  /** Also accepts other machines of the network: only if the user chose it. */
  network: z.boolean(),
  ...Traffic,
  /** Datagrams of another protocol, or of a second sender. */
  refused: z.number().int(),
  /** Address and name of the sender; empty before the first. */
  heardFrom: z.string(),
});
export type Receiver = z.output<typeof Receiver>;

/** How the page for OBS and other browser sources shows the head. */
export const viewerAppearanceFields = z.object({
  /** Null: the default head. */
  modelId: id.nullable(),
  /** `none` is transparent. */
  background: z.union([z.literal('none'), z.string().regex(/^#[0-9a-f]{6}$/)]),
  framing: z.enum(viewerFramings),
  mirror: z.boolean(),
});
export type ViewerAppearance = z.output<typeof viewerAppearanceFields>;

export const SendState = z.object({
  targets: z.array(SendTarget),
  viewers: z.object({
    on: z.boolean(),
    port: z.number().int(),
    appearance: viewerAppearanceFields,
    /** The page for a browser source; empty while it is off. */
    pageUrl: z.string(),
    /** The WebSocket for scripts; empty while it is off. */
    socketUrl: z.string(),
    watching: z.number().int(),
    problem: Message,
  }),
  receivers: z.array(Receiver),
  /** The take being sent; null: the live face, if any. */
  playing: z
    .object({
      takeId: id,
      seconds: z.number(),
      length: z.number(),
      loop: z.boolean(),
      /** Its position follows a page's player. */
      follows: z.boolean(),
    })
    .nullable(),
  /** A face is available. */
  hasFace: z.boolean(),
});
export type SendState = z.output<typeof SendState>;

const playedSeconds = z.number().min(0).max(86_400);

export const sendRoom = {
  calls: {
    state: call(nothing, SendState),
    /** At most 16. */
    addTarget: call(SendTargetFields, SendState),
    changeTarget: call(z.object({ id, changes: SendTargetFields.partial().strict() }), SendState),
    removeTarget: call(z.object({ id }), SendState),
    /** Sends two seconds of an opening mouth, to this target alone. */
    testTarget: call(z.object({ id }), z.object({ packets: z.number().int(), dropped: z.number().int() })),
    /** Opens and closes the page and the socket on 127.0.0.1. */
    changeViewers: call(
      z
        .object({ on: z.boolean(), port, appearance: viewerAppearanceFields.partial().strict() })
        .partial()
        .strict(),
      SendState,
    ),
    /** Invalidates addresses that were shared before. */
    renewViewerTokens: call(nothing, SendState),
    /** Off again whenever the studio starts. */
    receive: call(
      z.object({ kind: z.enum(receiverKinds), on: z.boolean(), port, network: z.boolean() }),
      SendState,
    ),
    /**
     * Sends a take instead of the live face, from `seconds` on; with `follow`, it waits there for the player.
     */
    playTake: call(
      z.object({
        id,
        seconds: playedSeconds.default(0),
        loop: z.boolean().default(false),
        follow: z.boolean().default(false),
      }),
      SendState,
    ),
    /**
     * The player's position in edited seconds, and its speed; 0: paused. False: the sent face does not follow
     * this take's player (any more).
     */
    movePlayed: call(z.object({ id, seconds: playedSeconds, speed: z.number().min(0).max(16) }), z.boolean()),
    stopTake: call(nothing, SendState),
  },
  events: {
    /** Twice a second during traffic, and after each change. */
    changed: SendState,
  },
  streams: {
    /** The received tracker's face, for the page: messages of the face stream, a header first. */
    tracked: { in: z.object({}) },
  },
} as const satisfies Room;
