/** Manifests as spreadsheets, phones and people write them, and photos whose names differ by case alone. */

import { csvLine, readCsv } from '@likeness/node-kit/csv.ts';
import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import { expect, test } from 'vitest';
import { matchManifest } from '../../../main/batch/photos/manifest_match.ts';
import type { PhotoRow } from '../../../main/batch/photos/photo_row.ts';

const photos = (...paths: string[]): PhotoRow[] =>
  paths.map((path) => {
    const at = path.lastIndexOf('/');
    return {
      id: path,
      folder: path.slice(0, Math.max(0, at)),
      fileName: path.slice(at + 1),
      path,
    } as PhotoRow;
  });
const applied = (table: string, ...paths: string[]) => {
  const { assignments: said, problems } = matchManifest(table, photos(...paths));
  return {
    said: Object.fromEntries(said.map(({ photo, set }) => [photo.id, [set.sex, set.name]])),
    problems: problems.map(({ line, column, fault, value }) => ({ line, column, fault, value })),
  };
};

test.each([
  ['a separator that is stated', 'sep=;\r\nfile;sex;name\r\nanna.jpg;f;Berg, Anna\r\n'],
  ['one that the header would not tell', 'sep=|\nfile|sex|name\nanna.jpg|f|Berg, Anna\n'],
  ['one in quotes, by UTF-16', '"SEP=\t"\r\nfile\tsex\tname\r\nanna.jpg\tf\tBerg, Anna\r\n'],
  ['blanks before and behind quotes', 'file, sex, name\r\n"anna.jpg" , "f", \t"Berg, Anna"  \r\n'],
  ['quotes that phones type', 'file,sex,name\n“anna.jpg”,“f”, „Berg, Anna“ \n'],
  ['full-width commas and letters', 'file，sex，name\nanna.jpg，ｆ，Berg, Anna\n'],
  ['bars', 'file|sex|name\nanna.jpg|f|Berg, Anna'],
  ['empty lines above', '\r\n ; ; \r\nfile;sex;name\r\nanna.jpg;f;Berg, Anna\r\n'],
  ['numbers with decimals', 'file;sex;name\nanna.jpg;1.0;Berg, Anna'],
])('a table with %s is applied', (_, table) => {
  expect(applied(table, 'anna.jpg')).toEqual({
    said: { 'anna.jpg': ['female', 'Berg, Anna'] },
    problems: [],
  });
});

test('a problem keeps its line and column behind a stated separator and blanks', () => {
  expect(applied('sep=;\nfile;sex\nanna.jpg;  "x"\n', 'anna.jpg').problems).toEqual([
    { line: 3, column: 10, fault: 'no_sex', value: 'x' },
  ]);
});

test('what the studio writes is read back, whatever quotes a name has', () => {
  for (const name of ['“Ada”', '„Ada“, the first', ' "Ada" ', 'sep=;', '“Ada” B', 'a|b，c', "'“x”"])
    expect(readCsv(csvLine(['file', name])).lines[0]!.map(({ text }) => text)).toEqual(['file', name]);
});

test('photos whose names differ by case or composition alone are told apart', () => {
  const table = 'file,sex,name\nanna.jpg,f,one\nAnna.jpg,f,two\nZo\u00eb.jpg,f,three\nZoe\u0308.jpg,f,four\n';
  expect(applied(table, 'anna.jpg', 'Anna.jpg', 'Zo\u00eb.jpg', 'Zoe\u0308.jpg')).toEqual({
    said: {
      'anna.jpg': ['female', 'one'],
      'Anna.jpg': ['female', 'two'],
      'Zo\u00eb.jpg': ['female', 'three'],
      'Zoe\u0308.jpg': ['female', 'four'],
    },
    problems: [],
  });
  expect(applied('file,name\na/ANNA.JPG,x\nanna.jpg,y\n', 'a/anna.jpg', 'b/Anna.jpg').said).toEqual({
    'a/anna.jpg': [undefined, 'y'],
  });
});

test('a name that fits several photos equally is still asked about', () => {
  expect(applied('file,name\nANNA.jpg,x\n', 'anna.jpg', 'Anna.jpg').problems).toMatchObject([
    { line: 2, fault: 'several_photos' },
  ]);
  expect(applied('file,name\nanna.jpg,x\n', 'a/anna.jpg', 'b/anna.jpg').problems).toMatchObject([
    { line: 2, fault: 'several_photos' },
  ]);
});

test.each([
  ['GBK', '66696c652c7365782c6e616d650d0ad6ece9462e6a70672cc5ae2cd6ece9460d0a', '朱镕'],
  ['Big5', '66696c652c7365782c6e616d650d0aa4fda470a9fa2e6a70672ca46b2ca4fda470a9fa0d0a', '王小明'],
  ['Windows-1251', '66696c653b7365783b6e616d650d0ac0edede02e6a70673b663bc0edede00d0a', 'Анна'],
])('a table of a spreadsheet in %s is applied', (_, hex, name) => {
  const table = decodeText(Buffer.from(hex, 'hex'));
  expect(applied(table, `${name}.jpg`)).toEqual({
    said: { [`${name}.jpg`]: ['female', name] },
    problems: [],
  });
});
