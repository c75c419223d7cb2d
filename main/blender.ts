import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { readJsonFile } from '@likeness/node-kit/storage/json_file.ts';
import { asThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { z } from 'zod';
import { inheritable } from './shell/inheritable.ts';
import type { Shell } from './shell/shell.ts';

const Stored = z.object({ schemaVersion: z.literal(1), path: z.string().min(1).max(4096) });

/** The Blender program that opens heads. */
export interface BlenderLocation {
  /** Absolute path; null if none was found. */
  find(): Promise<string | null>;
  /**
   * Opens the system's file dialog. @throws Failure `invalid_input` if the file is not Blender; `unsupported`
   */
  choose(): Promise<string | null>;
}

/** @param file - Stores the user's choice. */
export function blenderIn(file: string, shell: Pick<Shell, 'choose'>): BlenderLocation {
  const find = async (): Promise<string | null> => {
    const stored = await readJsonFile(file, Stored);
    if (stored && isProgram(stored.path)) return stored.path;
    return findBlender(process.env, process.platform);
  };
  return {
    find,
    async choose() {
      const [chosen] = (await shell.choose({ title: 'Blender', kind: 'files' })) ?? [];
      if (chosen === undefined) return find();
      const inside = join(chosen, 'Contents', 'MacOS', 'Blender');
      const path = isProgram(inside) ? inside : chosen;
      if (!/blender/i.test(basename(path)) || !isProgram(path))
        throw new Failure('invalid_input', t('blender.none', { path: chosen }), {
          hint: t('blender.choose'),
        });
      await writeFileAtomically(
        file,
        JSON.stringify({ schemaVersion: 1, path } satisfies z.output<typeof Stored>),
      );
      return path;
    },
  };
}

/**
 * Returns the path of Blender on this machine; null if it is not found. `LIKENESS_BLENDER` overrides it. The
 * page can't set it, because the studio runs this program.
 */
function findBlender(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const named = environment.LIKENESS_BLENDER;
  if (named) return isProgram(named) ? named : null;
  const file = platform === 'win32' ? 'blender.exe' : 'blender';
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return (
    [...folders.map((folder) => join(folder, file)), ...defaultPaths(environment, platform)].find(
      isProgram,
    ) ?? null
  );
}

function defaultPaths(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['/Applications/Blender.app/Contents/MacOS/Blender'];
  if (platform !== 'win32') return ['/usr/bin/blender', '/snap/bin/blender', '/opt/blender/blender'];
  const home = join(environment.ProgramFiles ?? 'C:\\Program Files', 'Blender Foundation');
  try {
    // `Blender 4.2`, `Blender 3.6`: newest first.
    return readdirSync(home)
      .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
      .map((version) => join(home, version, 'blender.exe'));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Blender's Python: an empty scene with the head, framed in the view. Debian's Blender 3.4 comes with a numpy
 * that lacks names used by its importer.
 */
const importScript = (glb: string): string => `import bpy, numpy, sys
for name, kind in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if name not in numpy.__dict__: setattr(numpy, name, kind)
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.import_scene.gltf(filepath=${JSON.stringify(glb)})
for area in [a for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == 'VIEW_3D']:
    area.spaces[0].shading.type = 'MATERIAL'
    with bpy.context.temp_override(area=area, region=next(r for r in area.regions if r.type == 'WINDOW')):
        bpy.ops.view3d.view_all()
`;

/** Milliseconds after which Blender counts as started. */
const startMs = 3000;

/**
 * Starts Blender with a head, detached from this process.
 *
 * @param script - Path of the script that Blender runs; overwritten.
 * @throws Failure `unsupported` if Blender can't be started or exits at once
 */
export function openInBlender(blender: string, glb: string, script: string): Promise<void> {
  writeFileSync(script, importScript(glb), { mode: 0o600 });
  return new Promise((resolve, reject) => {
    const child = asThePerson(() =>
      spawn(blender, ['--python', script], {
        detached: true,
        stdio: 'ignore',
        env: inheritable(process.env),
      }),
    );
    const fail = (why: string, cause?: unknown): void =>
      reject(
        new Failure('unsupported', t('blender.not_started', { why }), {
          hint: t('blender.start_yourself'),
          cause,
        }),
      );
    // Blender exits at once if it can't open a window, for example without a display.
    const startTimer = setTimeout(() => {
      child.unref();
      resolve();
    }, startMs);
    child.once('exit', (code, signal) => {
      clearTimeout(startTimer);
      if (code === 0) resolve();
      else fail(signal ?? `exit ${code}`);
    });
    child.once('error', (cause) => {
      clearTimeout(startTimer);
      fail(cause.message, cause);
    });
  });
}
