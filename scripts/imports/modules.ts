/**
 * Reads imports and exported types of source files with Vite's parser (oxc).
 *
 * Not with dependency-cruiser: it parses TypeScript with TypeScript below 7, or with swc, which misses
 * `import('…').Type`, and it compares no types.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

export interface Import {
  /** The import specifier as written. */
  readonly specifier: string;
  /** The imported file of this repository; null for a package. */
  readonly file: string | null;
}

export interface ExportedType {
  readonly name: string;
  /**
   * An interface's or literal's members as text, sorted; null for other types and for fewer than three
   * members.
   */
  readonly members: string | null;
}

/** One source file. Paths are relative to the repository's root, with slashes. */
export interface Module {
  readonly file: string;
  readonly imports: readonly Import[];
  readonly types: readonly ExportedType[];
}

const sourceFile = /\.(ts|tsx|js|mjs)$/;
const isSource = (file: string): boolean =>
  sourceFile.test(file) && !file.startsWith('proto/generated/') && !file.endsWith('.d.ts');

/**
 * Every source file that git does not ignore.
 *
 * @param root the repository's
 * @param folder in the repository; an import of a file outside it counts as an import of a package
 */
export function readTree(root: string, folder = '.'): Module[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((file) => isSource(file) && existsSync(join(root, file)));
  return readModules(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
    aliasesOf(root),
  );
}

/** Names that a file can import: `imports` of the root's manifest, `exports` of each workspace's. */
function aliasesOf(root: string): Record<string, string> {
  const manifest = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      imports?: Record<string, string>;
      exports?: Record<string, string>;
      workspaces?: string[];
    };
  const { imports, workspaces } = manifest('.');
  const aliases: Record<string, string> = { ...imports };
  for (const folder of globSync(workspaces ?? [], { cwd: root })) {
    const { name, exports } = manifest(folder);
    for (const [key, target] of Object.entries(exports ?? {}))
      aliases[posix.join(name, key)] = posix.join(folder, target);
  }
  return aliases;
}

/**
 * @param sources text by path
 * @param aliases `#contract` → `./preload/contract.ts`, `@likeness/proto/*` → `proto/*`
 */
export function readModules(
  sources: Readonly<Record<string, string>>,
  aliases: Readonly<Record<string, string>>,
): Module[] {
  const exists = (file: string): boolean => file in sources;
  return Object.entries(sources)
    .filter(([file]) => isSource(file))
    .map(([file, text]) => {
      const parsed = parseSync(file, text);
      const [error] = parsed.errors;
      if (error) throw new Error(`${file} can't be parsed: ${error.message}`);
      const specifiers = new Set([
        ...parsed.module.staticImports.map((each) => each.moduleRequest.value),
        ...parsed.module.staticExports.flatMap((each) =>
          each.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
        ),
        ...(text.includes('import(') ? importedInside(parsed.program) : []),
      ]);
      return {
        file,
        imports: [...specifiers].map((specifier) => ({
          specifier,
          file: resolved(specifier, file, aliases, exists),
        })),
        types: /\bexport (interface|type)\b/.test(text) ? exportedTypes(parsed.program, text) : [],
      };
    });
}

/** `import('…')` as an expression and as a type. */
function importedInside(program: ESTree.Program): string[] {
  const found: string[] = [];
  const add = (source: ESTree.Node): void => {
    if (source.type === 'Literal' && typeof source.value === 'string') found.push(source.value);
  };
  new Visitor({
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return found;
}

function exportedTypes(program: ESTree.Program, text: string): ExportedType[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const declared = statement.declaration;
    if (declared?.type === 'TSInterfaceDeclaration')
      return [{ name: declared.id.name, members: membersOf(declared.body.body, text) }];
    if (declared?.type !== 'TSTypeAliasDeclaration') return [];
    const { typeAnnotation } = declared;
    const literal = typeAnnotation.type === 'TSTypeLiteral' ? typeAnnotation.members : [];
    return [{ name: declared.id.name, members: membersOf(literal, text) }];
  });
}

function membersOf(members: readonly ESTree.Node[], text: string): string | null {
  if (members.length < 3) return null;
  const plain = members.map((member) =>
    text
      .slice(member.start, member.end)
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .replace(/\breadonly\b|[\s;,]/g, ''),
  );
  return plain.sort().join('; ');
}

function resolved(
  specifier: string,
  from: string,
  aliases: Readonly<Record<string, string>>,
  exists: (file: string) => boolean,
): string | null {
  const path = pathOf(specifier.replace(/\?.*$/, ''), from, aliases);
  if (path === null) return null;
  return [path, `${path}.ts`, `${path}.tsx`].find(exists) ?? path;
}

function pathOf(specifier: string, from: string, aliases: Readonly<Record<string, string>>): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [alias, target] of Object.entries(aliases)) {
    const [head = '', tail] = alias.split('*');
    if (tail === undefined ? specifier === alias : specifier.startsWith(head))
      return posix.normalize(target.replace('*', specifier.slice(head.length)));
  }
  return null;
}
