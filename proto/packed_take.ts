import { PackedFace } from './face/packed_face.ts';
import { DelimitedReader } from './framing.ts';
import {
  ArrivalReader,
  laidOver,
  layersOf,
  maxMessageBytes,
  readArrival,
  type TakeTier,
} from './take_stream.ts';

/**
 * Reads a take's face while its file comes in: neither the file nor its messages are kept. One that is cut off by a
 * crash is read up to its last complete message.
 */
export class PackedTakeReader {
  readonly #bytes = new DelimitedReader(maxMessageBytes);
  readonly #arrivals = new ArrivalReader();
  readonly #faces = new Map<TakeTier, PackedFace>();
  #isDamaged = false;

  push(chunk: Uint8Array): void {
    if (this.#isDamaged) return;
    this.#bytes.push(chunk);
    try {
      for (let message = this.#bytes.next(); message; message = this.#bytes.next()) this.#take(message);
    } catch {
      this.#isDamaged = true;
    }
  }

  /** Returns the face that the take plays: its tiers blended as in `mergedFace`. Call it once. */
  finish(): PackedFace {
    const layers = layersOf(
      [...this.#faces].map(([tier, { channelNames, frameRate, frames }]) => ({
        tier,
        channelNames,
        frameRate,
        frames,
      })),
    );
    const [lowest, ...above] = layers;
    if (!lowest) return new PackedFace({ channelNames: [], frameRate: 60 }).trimmed();
    const face = this.#faces.get(lowest.tier)!;
    face.serverShare = new Float32Array(face.frames.length).fill(lowest.tier === 'server' ? 1 : 0);
    for (const layer of above) {
      let at = 0;
      // In place: a frame that is past is not looked at again.
      for (const { frame, share } of laidOver(face.frames, layer, face.channelNames)) {
        if (share > 0) face.set(at, frame);
        if (layer.tier === 'server') face.serverShare[at] = share;
        at += 1;
      }
      this.#faces.delete(layer.tier);
    }
    return face.trimmed();
  }

  #take(message: Uint8Array): void {
    const arrival = readArrival(message);
    const { header, frame } = this.#arrivals.read(arrival);
    if (header) this.#faces.set(arrival.tier, new PackedFace(header));
    if (frame) this.#faces.get(arrival.tier)!.push(frame);
  }
}
