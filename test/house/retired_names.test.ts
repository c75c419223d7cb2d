/**
 * Names that were retired for the field's own terms don't come back. A name that is written to disk or sent to others
 * stays, with its reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';
import { readTree } from '../../scripts/imports/modules.ts';

const root = join(import.meta.dirname, '../..');

/** What a retired name looks like, and what to write instead. */
const retired: readonly [name: RegExp, instead: string][] = [
  [/^most[A-Z]|^least[A-Z]/, 'max…, min…'],
  [/^usual[A-Z]/, 'default…, typical…'],
  [
    /^(say|said|told|tells?)([A-Z]|$)|(Said|Told)$|^Said|^Told|^inWords$/,
    't, translate, Message, notify, report',
  ],
  [/[hH]earings?$|^rehear|^hearAgain/, 'analysis, full pass'],
  [/^LiveOrder|^PortraitOrder|^obey/, 'LiveCommand, WorkerTask, handleCommand'],
  [/.Book$/, '…Store, …Stats'],
  [/^(held|holds?)$|^held[A-Z]|.Held$|Obstacle/, 'block, reserve, keep'],
  [/.(AtOnce|AtATime|AfterAnother)$/, 'concurrent…, createMutex, join…'],
  [/(Desk|Ground|Tray|Intakes?)$/, 'RequestGate, CoreServices, ImportList, Importer'],
  [/^tries$|^punch|.Tries$/, 'overdub'],
  [/[wW]rongness|[dD]oubt|[vV]erdict/, 'mismatch, confidence, classification'],
  [/^ways?$|.Ways?$/, 'path, direction, alternatives, inFlight'],
  [/^standing|.Behind$/, 'status, stale'],
  [/^lent|^borrow|^settle[A-Z]|^grow[A-Z]/, 'fill, acquire, resolve'],
  [/^looks?$|^lookOf$/, 'appearance; check, read'],
  [/^places?$|^placeOf$/, 'page, position, slot, node, index'],
];

/** Names that files, databases, sockets, `--json` or a foreign API have, and where they are read and written. */
const kept: readonly [name: RegExp, where: RegExp, why: string][] = [
  [
    /^held$/,
    /^main\/(batch\/batch_run|commands\/(batch|library\/again_command))\./,
    '--json of a batch, values of messages',
  ],
  [/^held$/, /^renderer\/live\/pop-out\./, 'navigator.locks.query()'],
  [/^secondHearing$/, /^main\/takes/, 'record of a take'],
  [/^secondHearing$/, /^main\/commands\/talk\./, '--second-hearing'],
  [/^verdict$/, /^(main\/takes\/edits|preload\/contract\/takes|proto\/speech)/, 'words.json of a take'],
  [/^verdict$/, /^(packages\/(engine|speech)\/src|scripts\/quality)/, 'the same in the HTTP API'],
  [/^way$/, /^main\/names\/name_tables\./, 'name-tables.json of version 1'],
  [/^look$/, /^main\/send/, 'sending.json'],
  [/^look$/, /^proto\/live\/viewer_message\./, 'the WebSocket for viewers'],
  [/^messageSaid$/, /^(main\/batch\/jobs|packages\/journal\/src)/, 'a column'],
  [/^told$/, /^main\/commands\/connections\./, '--json'],
  [/^standing$/, /^main\/commands\/batch\./, '--json'],
  [
    /^(said|place|underWay|way)$/,
    /^(main\/connections|packages\/(client|gltf|journal|portrait)\/src)/,
    'values of stored messages',
  ],
];

/** Names that a file gives: to variables, parameters, functions, types and members. */
function declaredNames(file: string, text: string): string[] {
  const names: string[] = [];
  const add = (key: ESTree.Node | null | undefined): void => {
    if (!key) return;
    if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') names.push(key.name);
    if (key.type === 'ObjectPattern') {
      for (const property of key.properties) {
        add(property.type === 'RestElement' ? property.argument : property.value);
      }
    }
    if (key.type === 'ArrayPattern') key.elements.forEach(add);
    if (key.type === 'AssignmentPattern') add(key.left);
    if (key.type === 'RestElement') add(key.argument);
    if (key.type === 'TSParameterProperty') add(key.parameter);
  };
  const { program } = parseSync(file, text);
  const ofFunction = ({ id, params }: { id?: ESTree.Node | null; params: readonly ESTree.Node[] }): void => {
    add(id);
    params.forEach(add);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: ofFunction,
    FunctionExpression: ofFunction,
    ArrowFunctionExpression: ({ params }) => ofFunction({ params: params as readonly ESTree.Node[] }),
    ClassDeclaration: ({ id }) => add(id),
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    TSPropertySignature: ({ key }) => add(key),
    TSMethodSignature: ({ key }) => add(key),
    PropertyDefinition: ({ key }) => add(key),
    MethodDefinition: ({ key }) => add(key),
    Property: ({ key, shorthand, method, value }) => {
      if (!shorthand || method || value.type === 'AssignmentPattern') add(key);
    },
  }).visit(program);
  return names;
}

const insteadOf = (name: string): string | undefined => retired.find(([pattern]) => pattern.test(name))?.[1];

it.each(['mostWaiting', 'usualPort', 'createOrderBook', 'saidOf', 'underWay', 'place'])(
  '%s is retired',
  (name) => {
    expect(insteadOf(name)).toBeDefined();
  },
);

it.each(['almost', 'lastMost', 'keyboard', 'background', 'replace', 'lookAt', 'always'])(
  '%s is not',
  (name) => {
    expect(insteadOf(name)).toBeUndefined();
  },
);

it('names in every place are read', () => {
  const text = `
    const { a, b: [c = 1, ...d], ...e } = f(({ g }: H) => g);
    interface I { j: string; k(): void }
    class L { #m = 1; n(o: number, ...p: string[]) { return { q: 1, r }; } }
    function s(t: string): void {}
    type U = 1;`;
  expect([...new Set(declaredNames('a.ts', text))].sort()).toEqual([...'ILUabcdegjkmnopqst']);
});

/** Of each file of the product. */
const names = readTree(root)
  .map(({ file }) => file)
  .filter((file) => /^(main|preload|renderer|proto|scripts|packages\/[^/]+\/src)\/.*\.tsx?$/.test(file))
  .map((file): [string, string[]] => [
    file,
    [...new Set(declaredNames(file, readFileSync(join(root, file), 'utf8')))],
  ]);

it('product code has no retired name', () => {
  expect(names.length).toBeGreaterThan(1000);
  const found = names.flatMap(([file, ofFile]) =>
    ofFile
      .filter((name) => !kept.some(([pattern, where]) => pattern.test(name) && where.test(file)))
      .flatMap((name) => {
        const instead = insteadOf(name);
        return instead ? [`${file}: ${name} → ${instead}`] : [];
      }),
  );
  expect(found).toEqual([]);
});

it('every exception is needed', () => {
  const needed = kept.filter(([pattern, where]) =>
    names.some(([file, ofFile]) => where.test(file) && ofFile.some((name) => pattern.test(name))),
  );
  expect(needed).toEqual(kept);
});
