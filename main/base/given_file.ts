/** A file or folder that a person gave to the studio, and that the page knows by id only. */
export interface GivenFile {
  /** Absolute. */
  path: string;
  /** What the person called it, for showing; may hold folders, with `/`. */
  name: string;
  /** True for an upload that lies in the studio's own temporary folder: whoever takes it moves it out. */
  temporary: boolean;
}
