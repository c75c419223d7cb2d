/**
 * Files dropped or picked. The page never learns a path: it passes files to the shell, and the shell's ids to
 * the room that imports them.
 */
import { StudioFailure } from '../base/studio.ts';

declare global {
  interface Window {
    /** Electron: finds the paths, folders included. Browser: uploads each file. Put there by the shell. */
    studioFiles?: { register(files: File[]): Promise<string[]> };
  }
}

/** Ids that one call takes. */
const maxIds = 20_000;

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Keeps the sub-folder in the file's name, so that photos can be tagged by folder. */
const named = (file: File, path: string): File =>
  path === '' || path === file.name
    ? file
    : new File([file], path, { type: file.type, lastModified: file.lastModified });

async function walk(entry: FileSystemEntry, above: string, into: File[]): Promise<void> {
  const path = `${above}${entry.name}`;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    into.push(named(file, path));
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // A browser returns a folder's entries in batches of a hundred, and an empty batch at the end.
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (entries.length === 0) return;
      for (const one of entries) await walk(one, `${path}/`, into);
    }
  }
}

/**
 * The files of a drop, folders opened. Must be called while the
 * event is handled: afterwards its list is empty.
 *
 * @param whole - Leave folders to the shell (Electron), which reads them itself.
 */
export async function filesOf(data: DataTransfer, whole: boolean): Promise<File[]> {
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) =>
    item.kind === 'file' ? [item.webkitGetAsEntry?.() ?? null] : [],
  );
  if (whole || entries.every((entry) => entry === null || isFile(entry))) return files;
  const found: File[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry) await walk(entry, '', found);
    else if (files[at]) found.push(files[at]);
  }
  return found;
}

/** Files of an `<input type="file">`, named by their folder where one was chosen. */
export const filesOfInput = (input: HTMLInputElement): File[] =>
  [...(input.files ?? [])].map((file) => named(file, file.webkitRelativePath));

/** @throws StudioFailure `unsupported` where the shell takes no files. */
export async function register(files: readonly File[]): Promise<string[][]> {
  if (!window.studioFiles)
    throw new StudioFailure({
      code: 'unsupported',
      message: 'This window has no way to hand over files.',
      hint: 'Restart the studio; page and shell seem to be of different builds.',
      retryable: false,
    });
  const ids = await window.studioFiles.register([...files]);
  return Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) =>
    ids.slice(part * maxIds, (part + 1) * maxIds),
  );
}

/** Files that the person chooses in the browser's dialog; none: it was cancelled. */
export const chooseFiles = (accept: string, multiple = true): Promise<File[]> =>
  new Promise((resolve) => {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept, multiple });
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
