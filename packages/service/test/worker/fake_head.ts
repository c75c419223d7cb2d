/** What the quick maker makes of photos: all of them, one after another. */
export const fakeHead = (photos: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('glTF'), ...photos.flatMap((one) => [Buffer.from(' '), one])]);
