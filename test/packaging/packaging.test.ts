/**
 * Packs the built studio with electron-builder for Linux, on a made-up runtime, and looks at what a person
 * would get: what is in the asar and what is not, its size, the fuses, the command.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateSource } from '../../main/shell/electron/updates/update_source.ts';
import { freshKeys } from '../fixtures/electron/update_server.ts';
import { makeDummyRuntime } from './dummy_runtime.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const electronVersion = (JSON.parse(read('package.json')) as { devDependencies: Record<string, string> })
  .devDependencies.electron!;

const updates = { url: 'https://updates.invalid/studio', publicKey: freshKeys().publicKey };
const work = mkdtempSync(join(tmpdir(), 'likeness-packaging-'));
const app = join(work, 'dist', 'linux-unpacked');
const asar = join(app, 'resources', 'app.asar');
/** Every file in the asar, with `/` first, by its size; those beside it are marked. */
const files = new Map<string, { size: number; unpacked: boolean }>();

beforeAll(() => {
  if (!existsSync(join(root, 'out/main/desktop.js'))) throw new Error('out/ is missing: npm run build');
  makeDummyRuntime(join(work, 'runtime'), electronVersion);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/electron-builder/cli.js'),
      '--linux',
      '--x64',
      '--dir',
      '--publish=never',
      `-c.electronDist=${join(work, 'runtime')}`,
      `-c.electronVersion=${electronVersion}`,
      `-c.directories.output=${join(work, 'dist')}`,
      // As the release workflow gives them, where the repository has them.
      `-c.extraMetadata.likeness.updates.url=${updates.url}`,
      `-c.extraMetadata.likeness.updates.publicKey=${updates.publicKey}`,
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '0' } },
  );
  if (status !== 0) throw new Error(`electron-builder failed:\n${stdout}\n${stderr}`);
  for (const path of listPackage(asar, { isPack: false })) {
    const entry = statFile(asar, path.slice(1));
    if ('size' in entry)
      files.set(path.replaceAll('\\', '/'), { size: entry.size, unpacked: entry.unpacked === true });
  }
}, 180_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

const paths = (): string[] => [...files.keys()];
/** Names of the packages in the asar. */
const packed = (): Set<string> =>
  new Set(
    paths().flatMap((path) => {
      const name = /^\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      return name ? [name] : [];
    }),
  );
interface LockedPackage {
  /** A package of this repository: `resolved` is its folder. */
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}
const { packages: lockFile } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};
const locked = Object.entries(lockFile).flatMap(([path, entry]) =>
  /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    ? [{ name: path.slice(13), ...(entry.link ? lockFile[entry.resolved ?? ''] : entry) }]
    : [],
);
const byName = new Map(locked.map((entry) => [entry.name, entry]));

/** Packages that the service alone needs, such as the clients of Redis and S3: a desktop is no service. */
function onlyForService(): Set<string> {
  const reachedFrom = (names: readonly string[]): Set<string> => {
    const reached = new Set<string>();
    const go = (name: string): void => {
      const entry = byName.get(name);
      // Builds for other systems are not installed, and need what nobody else does.
      if (!entry || reached.has(name) || !existsSync(join(root, 'node_modules', name))) return;
      reached.add(name);
      for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) go(next);
    };
    for (const name of names) go(name);
    return reached;
  };
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const ofStudio = reachedFrom(Object.keys(dependencies));
  return new Set([...reachedFrom(['@likeness/service'])].filter((name) => !ofStudio.has(name)));
}

test('a command of the desktop app needs no package of the service', () => {
  const refuse = `import { registerHooks } from 'node:module';
    const absent = ${JSON.stringify([...onlyForService()])};
    registerHooks({ resolve(name, context, next) {
      if (absent.some((one) => name === one || name.startsWith(one + '/'))) throw new Error(name + ' is not in the app');
      return next(name, context);
    } });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(refuse)}`,
      join(root, 'out/main/cli.js'),
      'library',
      'list',
    ],
    { encoding: 'utf8', env: { ...process.env, LIKENESS_HOME: join(work, 'home') } },
  );
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('a release build carries its update address and key, every other build none', () => {
  const packed = JSON.parse(extractFile(asar, 'package.json').toString()) as { likeness: unknown };
  expect(packed.likeness).toEqual({ updates });
  const own = JSON.parse(read('package.json')) as { likeness: unknown };
  expect(own.likeness).toEqual({ updates: { url: '', publicKey: '' } });
  const from = (manifest: object, environment = { APPIMAGE: '/x.AppImage' }) => {
    const packageFile = join(work, 'package.json');
    writeFileSync(packageFile, JSON.stringify(manifest));
    return updateSource({ packageFile, packaged: true, platform: 'linux', resourcesPath: work, environment });
  };
  expect(from(packed)).toMatchObject({ base: { href: `${updates.url}/` }, installed: 'appimage' });
  expect(from(own)).toBe('no_address');
  for (const url of [
    'http://updates.invalid/',
    'https://name:word@updates.invalid/',
    'file:///x',
    'https://',
  ]) {
    expect(from({ likeness: { updates: { ...updates, url } } }), url).toBe('no_address');
  }
  expect(from({ likeness: { updates: { ...updates, publicKey: 'MCowBQYDK2Vw' } } })).toBe('no_address');
  expect(from({})).toBe('no_address');
});

test('the download has a folder of its own, and the made-up address is in no other place', () => {
  const config = readFileSync(join(app, 'resources', 'app-update.yml'), 'utf8');
  expect(config).toMatch(/^updaterCacheDirName: \S+$/m);
  for (const path of paths().filter((name) => /^\/out\/.*\.c?js$/.test(name)))
    expect(extractFile(asar, path.slice(1)).toString(), path).not.toContain('updates.invalid');
});

describe('in the asar', () => {
  test('are the built folders, package.json and packages, and nothing else', () => {
    expect(new Set(paths().map((path) => path.split('/')[1]))).toEqual(
      new Set(['out', 'node_modules', 'package.json']),
    );
    expect(
      new Set(paths().flatMap((path) => (path.startsWith('/out/') ? [path.split('/')[2]] : []))),
    ).toEqual(new Set(['main', 'preload', 'renderer', 'viewer']));
  });

  test('is everything that is started', () => {
    const manifest = JSON.parse(extractFile(asar, 'package.json').toString()) as Record<string, unknown>;
    expect(manifest.main).toBe('out/main/desktop.js');
    expect(manifest).not.toHaveProperty('devDependencies');
    for (const path of [
      '/out/main/desktop.js',
      '/out/main/cli.js',
      '/out/main/serve.js',
      '/out/main/engine.js',
      '/out/preload/index.cjs',
      '/out/preload/browser.cjs',
      '/out/renderer/index.html',
    ]) {
      expect(paths(), path).toContain(path);
    }
  });

  test('is the documentation, in both languages', () => {
    for (const page of ['pages.json', 'en/guide.html', 'en/formats/take.html', 'zh-CN/guide.html'])
      expect(paths()).toContain(`/out/renderer/help/${page}`);
  });

  test('is every package that main imports', () => {
    const wanted = new Set(
      paths()
        .filter((path) => /^\/out\/main\/.*\.js$/.test(path))
        .flatMap((path) => {
          const code = extractFile(asar, path.slice(1)).toString();
          return [
            ...code.matchAll(
              /(?:\bfrom|\bimport|[rR]equire(?:\.resolve)?\(|\bimport\()\s*["']((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*(?:\/[\w./-]+)?)["']/g,
            ),
          ].map(([, name = '']) => name);
        })
        .filter((name) => !isBuiltin(name) && name !== 'electron')
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    );
    const there = packed();
    expect(wanted.size).toBeGreaterThan(5);
    const left = onlyForService();
    expect([...wanted].filter((name) => !there.has(name) && !left.has(name))).toEqual([]);
  });

  test('is no client of a queue or store that machines share, and nothing that only they need', () => {
    const left = onlyForService();
    expect(left.size).toBeGreaterThan(20);
    expect([...packed()].filter((name) => left.has(name))).toEqual([]);
  });

  test('is every production package of the lock file, peers among them', () => {
    const there = packed();
    const left = onlyForService();
    const missing = locked.filter(
      ({ name, dev, optional, devOptional }) =>
        !left.has(name) &&
        !dev &&
        !optional &&
        !devOptional &&
        !name.startsWith('@types/') &&
        !name.startsWith('@likeness/') &&
        name !== '@webgpu/types' &&
        !there.has(name),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('is of the face networks’ packages what runs or is read, and nothing else', () => {
    const of = (name: string): string[] =>
      paths()
        .filter((path) => path.startsWith(`/node_modules/${name}/`))
        .map((path) => path.slice(`/node_modules/${name}/`.length))
        .sort();
    expect(of('@vladmandic/human')).toEqual([
      'LICENSE',
      ...['blazeface', 'facemesh', 'iris'].flatMap((name) => [`models/${name}.bin`, `models/${name}.json`]),
      'package.json',
    ]);
    for (const name of ['core', 'converter', 'backend-cpu', 'backend-wasm']) {
      const there = of(`@tensorflow/tfjs-${name}`);
      expect(there).toContain(`dist/tf-${name}.node.js`);
      expect(there.filter((path) => /^dist\/.*\.[cm]?js$/.test(path))).toEqual([`dist/tf-${name}.node.js`]);
    }
    expect(of('@tensorflow/tfjs-backend-wasm').filter((path) => path.startsWith('dist/'))).toContain(
      'dist/tfjs-backend-wasm-simd.wasm',
    );
  });

  test('is no package that only building, testing or the page needs, and no Node', () => {
    const dev = new Set(locked.flatMap(({ name, dev }) => (dev ? [name] : [])));
    expect([...packed()].filter((name) => dev.has(name))).toEqual([]);
    for (const name of [
      'node',
      'electron',
      'react',
      'react-dom',
      'three',
      '@mantine/core',
      'vitest',
      'playwright-core',
      'typescript',
    ]) {
      expect(packed(), name).not.toContain(name);
    }
  });

  test('are no sources, tests, maps or notes', () => {
    const stray = paths().filter(
      (path) =>
        /\.(map|ts|tsx|mts|cts|md|tsbuildinfo|log|env|pem)$/i.test(path) ||
        /\/(tests?|__tests__|spec|coverage|\.github|\.vscode)\//.test(path) ||
        /^\/(main|renderer|preload|proto|scripts|build|training|docs)\//.test(path),
    );
    expect(stray).toEqual([]);
    for (const path of paths().filter((name) => /^\/out\/.*\.(js|cjs|css)$/.test(name))) {
      expect(extractFile(asar, path.slice(1)).toString(), path).not.toMatch(/^\/[/*]# sourceMappingURL=/m);
    }
  });

  test('is no more than it should be', () => {
    const sum = (unpacked: boolean): number =>
      [...files.values()].reduce((total, file) => total + (file.unpacked === unpacked ? file.size : 0), 0);
    // Of it 10.9 MB are OpenCV.js.
    expect(statSync(asar).size).toBeLessThan(70e6);
    expect(sum(true)).toBeLessThan(25e6);
    const ours = paths().filter((path) => /^\/out\/(main|preload)\//.test(path));
    // Of it 8.1 MB are three heads, which every importer reads as they are, 2.8 MB the two speech networks, 1.3 MB
    // those for hair and light.
    expect(ours.reduce((total, path) => total + files.get(path)!.size, 0)).toBeLessThan(16.5e6);
  });
});

test('native code lies beside the asar, where the system can load it', () => {
  const native = paths().filter((path) => /\.(node|so(\.\d+)*|dylib|dll)$/.test(path));
  expect(native.length).toBeGreaterThan(0);
  for (const path of native) {
    expect(files.get(path)?.unpacked, path).toBe(true);
    expect(existsSync(join(app, 'resources', 'app.asar.unpacked', path)), path).toBe(true);
  }
});

test('the fuses are set', async () => {
  const wire = await getCurrentFuseWire(join(app, 'likeness-studio'));
  const states = Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((fuse) => [
      FuseV1Options[fuse],
      wire[fuse as FuseV1Options] === FuseState.ENABLE,
    ]),
  );
  expect(states).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
  });
});

test('`likeness` runs the app’s command line, also by a link', () => {
  const command = join(app, 'resources', 'bin', 'likeness');
  const linked = join(work, 'likeness');
  symlinkSync(command, linked);
  for (const program of [command, linked]) {
    const given = execFileSync(program, ['journal', 'verify', '--no-sandbox', 'two words'], {
      encoding: 'utf8',
    });
    // Behind `--` Chromium reads no switches, whoever wrote them.
    expect(given.trim().split('\n')).toEqual([
      '--ozone-platform=headless',
      '--cli',
      '--',
      'journal',
      'verify',
      '--no-sandbox',
      'two words',
    ]);
  }
  expect(read('build/bin/likeness.cmd')).toContain('--cli -- %*');
});

test('two languages’ locales are delivered', () => {
  const locales = join(app, 'locales');
  expect(['de', 'en-US', 'fr', 'zh-CN'].filter((name) => existsSync(join(locales, `${name}.pak`)))).toEqual([
    'en-US',
    'zh-CN',
  ]);
});

describe('the other systems', () => {
  const config = read('electron-builder.yml');

  test('get their installers', () => {
    expect(config).toMatch(/^win:\n(?: .*\n)*? {2}target: \[nsis, portable\]$/m);
    expect(config).toMatch(/- target: dmg\n\s+arch: \[arm64, x64\]/);
    expect(config).toMatch(/^linux:\n(?: .*\n)*? {2}target: \[AppImage, deb\]$/m);
  });

  test('macOS is told what the microphone is for, in both languages, and nothing more is asked of it', () => {
    expect(config).toMatch(/NSMicrophoneUsageDescription: \S.{20}/);
    expect(read('build/mac/zh_CN.lproj/InfoPlist.strings')).toMatch(/NSMicrophoneUsageDescription = ".{10}/);
    for (const file of ['build/entitlements.mac.plist', 'build/entitlements.mac.inherit.plist']) {
      expect([...read(file).matchAll(/<key>([^<]+)/g)].map(([, key]) => key)).toEqual([
        'com.apple.security.cs.allow-jit',
        'com.apple.security.device.audio-input',
      ]);
    }
  });

  test('Windows has its icon in every size', () => {
    const icon = readFileSync(join(root, 'build/icon.ico'));
    const sizes = Array.from(
      { length: icon.readUInt16LE(4) },
      (_, index) => icon.readUInt8(6 + 16 * index) || 256,
    );
    expect(sizes).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256]);
  });

  test('macOS has its icon up to 1024 pixels', () => {
    const icon = readFileSync(join(root, 'build/icon.icns'));
    expect(icon.toString('latin1', 0, 4)).toBe('icns');
    expect(icon.readUInt32BE(4)).toBe(icon.length);
    const widths: number[] = [];
    for (let at = 8; at < icon.length; at += icon.readUInt32BE(at + 4))
      widths.push(icon.readUInt32BE(at + 8 + 16));
    expect(widths).toEqual([32, 64, 128, 256, 256, 512, 512, 1024]);
  });
});
