/** A file or folder that the user gave to the studio. The page knows only its id. */
export interface GivenFile {
  /** Absolute. */
  path: string;
  /** The name to display; may contain folders, separated by `/`. */
  name: string;
  /** True for an upload in the studio's temporary folder: the receiver moves it out. */
  temporary: boolean;
}
