import { renameSync } from 'node:fs';
import { type Message, t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath } from '@likeness/node-kit/storage/quarantine.ts';
import { Settings } from '#contract';

/** Version of the settings file. A newer file is left unchanged. */
const schemaVersion = 1;

export interface SettingsStore {
  get(): Settings;
  /** @throws Failure `storage` if it can't be written; then nothing has changed. */
  change(changes: Partial<Settings>): Promise<Settings>;
  /** Grows with each change. */
  readonly revision: number;
  /**
   * Changes settings that derive from others, such as a list with one more entry.
   *
   * @param revision - Of the settings that they derive from. Changes nothing if there is a newer one.
   * @returns Whether it was changed. @throws as `change`
   */
  changeFrom(revision: number, changes: Partial<Settings>): Promise<boolean>;
  /** The problem of the file at the start, for the user; null if none. */
  readonly problem: Message | null;
}

export interface SettingsOptions {
  path: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The system's language, for the first run: `zh-CN`, `de`, … */
  systemLanguage: string;
}

/**
 * Opens the studio-wide settings, stored in one small file. A missing or invalid field has its default, so
 * that fields can be added. A damaged file is renamed and reported, never overwritten.
 *
 * @throws Failure `storage` if the file exists but can't be read, or was written by a newer studio.
 */
export async function openSettings({ path, clock, systemLanguage }: SettingsOptions): Promise<SettingsStore> {
  const defaults: Settings = {
    language: languageOf(systemLanguage),
    theme: 'dark',
    reducedMotion: 'system',
    notifications: true,
    interfaceSize: 100,
    welcomed: false,
    lookForUpdates: 'unasked',
    installOnQuit: false,
    poses: [],
    pronunciations: [],
    frameRate: 'display',
    drawQuality: 'auto',
    defaultHead: 'default',
    headExport: { format: 'glb', names: 'as-is' },
    takeExport: 'livelink',
    rememberExport: true,
    headPresets: [],
    takePresets: [],
    shortcuts: {},
  };
  const bytes = await readFileIfThere(path);
  let problem: Message | null = null;
  let current = defaults;
  if (bytes) {
    const stored = parse(bytes.toString('utf8'));
    if (stored === null) {
      const kept = quarantinePath(path, clock());
      renameSync(path, kept);
      problem = t('settings.damaged', { kept });
    } else {
      const version = Number(stored.schemaVersion ?? 0);
      if (version > schemaVersion) {
        throw new Failure('storage', t('settings.newer', { version }), {
          hint: t('storage.update_file'),
        });
      }
      current = { ...defaults, ...sensibleSettings(stored).settings };
    }
  }
  // Serializes writes: two concurrent ones would each lose the other's change.
  const inTurn = createMutex();
  let revision = 0;
  const write = async (changes: Partial<Settings>): Promise<Settings> => {
    const next = { ...current, ...changes };
    await writeFileAtomically(path, `${JSON.stringify({ schemaVersion, ...next }, null, 2)}\n`);
    current = next;
    revision += 1;
    return current;
  };
  return {
    problem,
    get: () => current,
    change: (changes) => inTurn(() => write(changes)),
    get revision() {
      return revision;
    },
    changeFrom: (from, changes) =>
      inTurn(async () => {
        if (from !== revision) return false;
        await write(changes);
        return true;
      }),
  };
}

/** Reads the user's language before the studio opens. `openSettings` handles a damaged file. */
export async function settingsLanguage(path: string, systemLanguage: string): Promise<Settings['language']> {
  const bytes = await readFileIfThere(path).catch(() => null);
  const stored = bytes && parse(bytes.toString('utf8'));
  const { success, data } = Settings.shape.language.safeParse(stored?.language);
  return success ? data : languageOf(systemLanguage);
}

/** Returns our language that is nearest to the system's: `zh-Hans-CN`, `zh_CN.UTF-8`, `de`, … */
export const languageOf = (system: string): Settings['language'] =>
  system.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The valid settings of a file, and the names of those that are invalid. */
export function sensibleSettings(stored: Record<string, unknown>): {
  settings: Partial<Settings>;
  senseless: string[];
} {
  const senseless: string[] = [];
  const good = (Object.keys(Settings.shape) as (keyof Settings)[]).flatMap((field) => {
    if (stored[field] === undefined) return [];
    const { success, data } = Settings.shape[field].safeParse(stored[field]);
    if (!success) senseless.push(field);
    return success ? [[field, data]] : [];
  });
  return { settings: Object.fromEntries(good), senseless };
}
