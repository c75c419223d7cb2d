/** An encoded packet, times in seconds. The first carries what a decoder must know. */
export interface SoundPacket {
  data: Uint8Array;
  at: number;
  seconds: number;
  config?: AudioDecoderConfig;
}
