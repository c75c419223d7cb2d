/** Bytes and pixels of a picture that is decoded to be shown; a head is made of fewer (`photoLimits`). */
export const mostPicture = { bytes: 256 * 1024 * 1024, pixels: 150_000_000 } as const;
