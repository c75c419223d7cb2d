/** A file to upload: on disk, or in memory with the name it should have. */
export type UploadFile = { path: string } | { bytes: Uint8Array; name: string };
