/**
 * Writes `THIRD_PARTY_NOTICES.md`: the shipped packages with their licence texts.
 *
 * Main's run-time packages are its tree of `dependencies`. The page's packages are bundled development
 * dependencies, found through the page's imports. license-checker and similar tools know only the first kind.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from '../imports/modules.ts';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  /** A package of this repository: `resolved` is its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Development dependencies whose code is in `out/renderer`, and Electron, the runtime. */
function bundled(root: string): string[] {
  const specifiers = readTree(root, 'renderer').flatMap(({ imports }) =>
    imports.filter(({ file }) => file === null).map(({ specifier }) => specifier),
  );
  const names = specifiers.map((each) =>
    each
      .split('/')
      .slice(0, each.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  return ['electron', ...new Set(names)];
}

/** Packages for one system only, which this machine may not have: their licence is named without its text. */
const isPlatform = (name: string): boolean => /^@img\/|-(darwin|linux|linuxmusl|win32)-/.test(name);

/** Returns every shipped package: its name by its path in the lock. */
function shipped(lock: Readonly<Record<string, Locked>>, page: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const visited = new Set<string>();
  const root = lock[''];
  const visit = (name: string, from: string): void => {
    const path = locate(lock, name, from);
    if (path === null || visited.has(path)) return;
    visited.add(path);
    const { link, resolved = '' } = lock[path] ?? {};
    if (!link) found.set(path, name);
    // Electron's own packages only fetch it; the runtime's notices come with the runtime.
    if (name === 'electron') return;
    const folder = link ? resolved : path;
    const { dependencies = {}, optionalDependencies = {} } = lock[folder] ?? {};
    for (const next of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
      visit(next, folder);
  };
  const wanted = [
    ...Object.keys(root?.dependencies ?? {}),
    '@likeness/service',
    ...page.filter((name) => root?.devDependencies?.[name]),
  ];
  for (const name of wanted) visit(name, '');
  return found;
}

/** Where Node would find a package: beside the importer, or further up. */
function locate(lock: Readonly<Record<string, Locked>>, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[path]) return path;
    if (folder === '') return null;
  }
}

function licenceText(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r/g, '').trim());
  return texts.length > 0 ? texts.join('\n\n') : null;
}

/** The page as text. @param root the repository's */
export function thirdPartyNotices(root: string): string {
  const lock: Record<string, Locked> = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  ).packages;
  const byText = new Map<string, string[]>();
  const named: string[] = [];
  for (const [path, name] of [...shipped(lock, bundled(root))].sort(([, a], [, b]) => (a < b ? -1 : 1))) {
    const { version = '', license = 'see its package' } = lock[path] ?? {};
    const title = `${name} ${version} (${license})`;
    const text = isPlatform(name) ? null : licenceText(join(root, path));
    if (text === null) named.push(title);
    else byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const lines = [
    '# Third-party notices',
    '',
    '<!-- Made by `npm run docs` from package-lock.json. -->',
    '',
    'Likeness Studio contains these packages. Each is under its own licence, whose text stands below its name. The',
    'desktop app is built on Electron and Chromium, whose notices lie beside the program (`LICENSES.chromium.html`).',
    '',
    '`packages/speech/src/weights.bin` and `second_hearing.bin` were trained on voices under several licences, GPL and',
    'CC-BY-SA among them, which [their card](packages/speech/src/MODEL_CARD.md) lists. No sound, text or parameter of a',
    'voice is in the files; whether weights are a work derived from what they heard is unsettled, and the owner of the',
    'product must judge.',
    '',
    '`packages/portrait/src/segment/segmentation_weights.bin` was learnt from masks that two networks of MediaPipe made (© Google,',
    'Apache License 2.0), as [its card](packages/portrait/src/segment/MODEL_CARD.md) says; neither is in the file.',
    '',
    "`depth_weights.ts` and `profile_weights.ts` of `packages/portrait/src` were learnt from heads drawn from ICT-FaceKit's light",
    'face model, of which no vertex or mode is in the files:',
    '',
    '    Copyright (c) 2020 USC Institute for Creative Technologies',
    '',
    '    Permission is hereby granted, free of charge, to any person obtaining a copy',
    '    of this software and associated documentation files (the "Software"), to deal',
    '    in the Software without restriction, including without limitation the rights',
    '    to use, copy, modify, merge, publish, distribute, sublicense, and/or sell',
    '    copies of the Software, and to permit persons to whom the Software is',
    '    furnished to do so, subject to the following conditions:',
    '',
    '    The above copyright notice and this permission notice shall be included in all',
    '    copies or substantial portions of the Software.',
    '',
    '    THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR',
    '    IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,',
    '    FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE',
    '    AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER',
    '    LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,',
    '    OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE',
    '    SOFTWARE.',
    '',
    '`@jitsi/rnnoise-wasm` holds RNNoise 0.1 with its weights: Copyright (c) 2020, Joe Neeman; (c) 2017, Mozilla; (c) 2007-2017, Jean-Marc Valin;',
    '(c) 2005-2017, Xiph.Org Foundation; (c) 2003-2004, Mark Borgerding; BSD 3-clause:',
    '',
    '    Redistribution and use in source and binary forms, with or without modification, are permitted provided that the',
    '    following conditions are met: Redistributions of source code must retain the above copyright notice, this list of',
    '    conditions and the following disclaimer. Redistributions in binary form must reproduce the above copyright notice,',
    '    this list of conditions and the following disclaimer in the documentation and/or other materials provided with',
    '    the distribution. Neither the name of the Xiph.Org Foundation nor the names of its contributors may be used to',
    '    endorse or promote products derived from this software without specific prior written permission.',
    '    THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,',
    '    INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE',
    '    DISCLAIMED. IN NO EVENT SHALL THE FOUNDATION OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,',
    '    SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR',
    '    SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,',
    '    WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE',
    '    USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.',
    '',
    '`libheif-js` holds libheif and libde265 as WebAssembly, under LGPL-3.0. It is a package of its own and is not changed:',
    'another build of it can take its place in `node_modules/libheif-js`, as one of libvips can in `node_modules/@img`. Its source is',
    'at https://github.com/catdad-experiments/libheif-emscripten, https://github.com/strukturag/libheif and',
    'https://github.com/strukturag/libde265. It decodes HEVC (H.265), on which patents are held: who hands the studio on must',
    'judge whether a licence of them is needed. Without the package, HEIC photos alone are not read.',
    '',
    '## Licences named in the package, without a text of their own or for one system only',
    '',
    ...named.map((title) => `- ${title}`),
    '',
    ...[...byText].flatMap(([text, titles]) => [
      `## ${[...new Set(titles)].join(', ')}`,
      '',
      ...text.split('\n').map((line) => (line.trim() ? `    ${line.trimEnd()}` : '')),
      '',
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
