import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Scrub } from './scrub.ts';

export interface LogOptions {
  /** Folder of the log files; made (0700) where missing. */
  folder: string;
  scrub: Scrub;
  /** File name without extension. Each process of the studio that writes at the same time needs its own. */
  name?: string;
  /** Size at which a file is rotated, bytes. Default 5 MiB. */
  maxBytes?: number;
  /** Rotated files that are kept, besides the current one. Default 4. */
  keep?: number;
  level?: 'debug' | 'info' | 'warn' | 'error';
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Receives the lines instead of a file. */
  write?: (line: string) => void;
}

export interface Log extends Logger {
  /**
   * Removes a person's names from all log files: a folder's path may have been in an error.
   *
   * @returns The number of occurrences removed.
   */
  erase(names: readonly string[]): number;
  /** Closes the file. Later messages are dropped. */
  end(): void;
}

/** An entry longer than this is truncated: bodies don't belong in a log. */
const longestEntry = 16_384;

/**
 * Fields that always hold secrets; the scrub catches their values too once it knows them.
 */
const secretFields = [
  'accessToken',
  'apiKey',
  'clientKey',
  'proxyPassword',
  'passphrase',
  'auth_ak',
  'authorization',
  'Authorization',
  'cookie',
];

/**
 * The studio's log: JSON lines in `<folder>/<name>.log`, rotated to `<name>.1.log` … when full, readable by
 * the owner only. Every line goes through the scrub. If the disk refuses writes, the studio continues: lines
 * are dropped, and the next written line has their number.
 */
export function createLog(options: LogOptions): Log {
  const file = new RotatingFile(options);
  return Object.assign(createLineLog({ ...options, write: (line) => file.write(line) }), {
    end: () => file.close(),
    erase: (names: readonly string[]) => file.erase(names),
  });
}

/** Passes the same lines to a function: a service writes them to standard output. */
export function createLineLog({
  scrub,
  write,
  level = 'info',
  clock = Date.now,
}: Pick<LogOptions, 'scrub' | 'level' | 'clock'> & { write: (line: string) => void }): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    {
      write: (line: string) => {
        const clean = scrub(line);
        write(clean.length <= longestEntry ? clean : shortened(clean, clock()));
      },
    },
  );
}

function shortened(line: string, now: number): string {
  return `${JSON.stringify({
    level: 'warn',
    time: new Date(now).toISOString(),
    msg: `An entry of ${line.length} characters was too long for the log; this is its beginning.`,
    beginning: line.slice(0, 2000),
  })}\n`;
}

/**
 * The names as they appear in JSON, whole words only; null if none is distinctive enough.
 */
function patternOf(names: readonly string[]): RegExp | null {
  const written = names
    .filter((name) => name.length >= 3)
    .map((name) => JSON.stringify(name).slice(1, -1))
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const letter = '[\\p{L}\\p{N}]';
  return written.length === 0
    ? null
    : new RegExp(`(?<!${letter})(?:${written.join('|')})(?!${letter})`, 'giu');
}

class RotatingFile {
  readonly #folder: string;
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #keep: number;
  #descriptor: number | null = null;
  #bytes = 0;
  #dropped = 0;
  #closed = false;

  constructor({ folder, name = 'studio', maxBytes = 5 * 1024 * 1024, keep = 4 }: LogOptions) {
    this.#folder = folder;
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
  }

  write(line: string): void {
    if (this.#closed) return;
    try {
      if (this.#dropped > 0) {
        const dropped = this.#dropped;
        this.#append(`{"level":"warn","msg":"${dropped} entries could not be written to disk"}\n`);
        this.#dropped = 0;
      }
      this.#append(line);
    } catch {
      // Disk full or folder gone: there is no way to report it.
      this.#dropped += 1;
      this.#let();
    }
  }

  /** In place, not by replacing the file: another process of the studio may be appending to it. */
  erase(names: readonly string[]): number {
    const pattern = patternOf(names);
    if (pattern === null) return 0;
    let found = 0;
    for (let age = 0; age <= this.#keep; age += 1) {
      const path = this.#path(age);
      if (!existsSync(path)) continue;
      const before = found;
      const text = readFileSync(path, 'utf8').replace(pattern, () => {
        found += 1;
        return '[erased]';
      });
      if (found > before) writeFileSync(path, text);
    }
    // The file's length has changed.
    this.#let();
    return found;
  }

  close(): void {
    this.#closed = true;
    this.#let();
  }

  #append(line: string): void {
    const bytes = Buffer.from(line, 'utf8');
    let descriptor = this.#descriptor ?? this.#open();
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maxBytes) {
      this.#rotate();
      descriptor = this.#open();
    }
    writeSync(descriptor, bytes);
    this.#bytes += bytes.length;
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.#path(0), 'a', 0o600);
    this.#descriptor = descriptor;
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  #rotate(): void {
    this.#let();
    rmSync(this.#path(this.#keep), { force: true });
    for (let age = this.#keep - 1; age >= 0; age -= 1) {
      try {
        renameSync(this.#path(age), this.#path(age + 1));
      } catch {
        // Not every rotated file exists yet.
      }
    }
  }

  #let(): void {
    if (this.#descriptor === null) return;
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    this.#bytes = 0;
    closeSync(descriptor);
  }

  #path(age: number): string {
    return join(this.#folder, age === 0 ? `${this.#name}.log` : `${this.#name}.${age}.log`);
  }
}
