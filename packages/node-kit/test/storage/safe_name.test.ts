import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { distinctNames, safeName } from '../../src/storage/safe_name.ts';

describe('a safe name', () => {
  it('stays as it is where nothing is wrong with it', () => {
    for (const name of ['Ann Example.jpg', '王小明.png', 'Zoë – 2.glb', 'Ünal_03', 'naïve (2).webp']) {
      expect(safeName(name)).toBe(name.normalize('NFC'));
    }
  });

  it('is one segment of a path, whatever it was made from', () => {
    expect(safeName('../../etc/passwd')).toBe('etc_passwd');
    expect(safeName('C:\\Windows\\System32\\cmd.exe')).toBe('C_Windows_System32_cmd.exe');
    expect(safeName('a\u0000b\nc.png')).toBe('abc.png');
    expect(safeName('a／b∕c⁄d')).toBe('a_b_c_d');
    expect(safeName('file:///etc')).toBe('file_etc');
    expect(safeName('a<b>|"?*.png')).toBe('a_b_.png');
  });

  it('hides nothing', () => {
    expect(safeName('.bashrc')).toBe('bashrc');
    expect(safeName('photo\u202Egpj.exe')).toBe('photogpj.exe');
    expect(safeName('ann\u200B.png')).toBe('ann.png');
    expect(safeName('trailing. . .')).toBe('trailing');
    expect(safeName('-rf')).toBe('_-rf');
  });

  it('is never a device of Windows', () => {
    for (const device of ['CON', 'con.png', 'Aux.tar.gz', 'COM1', 'lpt9.txt', 'NUL .txt', 'COM¹', 'CONIN$']) {
      expect(safeName(device)).toBe(`_${device}`);
    }
    expect(safeName('console.png')).toBe('console.png');
    expect(safeName('COM10')).toBe('COM10');
  });

  it('has a name where nothing is left of one', () => {
    for (const nothing of ['', '.', '..', '/', '\u200B', '  ', '...', '//..//']) {
      expect(safeName(nothing)).toBe('unnamed');
    }
    expect(safeName('', { fallback: 'portrait' })).toBe('portrait');
  });

  it('is no longer than asked, between characters, with its extension', () => {
    const long = safeName(`${'王'.repeat(200)}.jpeg`);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(120);
    expect(long).toMatch(/^王+\.jpeg$/);
    expect(safeName('👍🏽'.repeat(50), { maxBytes: 20 })).toBe('👍🏽👍🏽');
    expect(safeName(`x.${'y'.repeat(300)}`).length).toBe(120);
  });

  it('can be made on disk, for any text, and is stable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-name-'));
    let seed = 7;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 500; round += 1) {
      const codes = Array.from({ length: 1 + next(60) }, () => (next(3) === 0 ? next(0x10ffff) : next(128)));
      const name = safeName(String.fromCodePoint(...codes));
      expect(basename(name)).toBe(name);
      expect(safeName(name)).toBe(name);
      writeFileSync(join(folder, name), '');
      expect(readdirSync(folder)).toContain(name);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('names of one call', () => {
  it('get a number that is no other one’s name, in whatever order they come', () => {
    expect(distinctNames(['ann', 'ann', 'ann (2)', 'bob'])).toEqual(['ann', 'ann (3)', 'ann (2)', 'bob']);
    expect(distinctNames(['ann (2)', 'ann', 'ann', 'ann'])).toEqual(['ann (2)', 'ann', 'ann (3)', 'ann (4)']);
    expect(distinctNames(['a', 'a', 'a-2', 'a-2'], (name, number) => `${name}-${number}`)).toEqual([
      'a',
      'a-3',
      'a-2',
      'a-2-2',
    ]);
    expect(distinctNames(['v1.5', 'v1.5'])).toEqual(['v1.5', 'v1.5 (2)']);
  });

  it('differ on disks that ignore case or compose accents', () => {
    expect(distinctNames(['Ann', 'ANN', 'ann'])).toEqual(['Ann', 'ANN (2)', 'ann (3)']);
    expect(distinctNames(['Zoe\u0308', 'Zo\u00eb', 'ΣΑΣ', 'σας', 'STRASSE', 'Straße'])).toEqual([
      'Zoe\u0308',
      'Zo\u00eb (2)',
      'ΣΑΣ',
      'σας (2)',
      'STRASSE',
      'Straße (2)',
    ]);
  });
});
