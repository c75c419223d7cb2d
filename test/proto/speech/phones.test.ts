import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { isBilabial, isLabiodental, isPhone, pausePhone, phoneParts } from '@likeness/proto/speech/phones.ts';
import { describe, expect, it } from 'vitest';

const arpabet =
  'AA AE AH AO AW AX AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH';
const pinyin =
  'b p m f d t n l g k h j q x zh ch sh r z c s a o e ê ai ei ao ou an en ang eng er i -i ia ie iao iu ian in ' +
  'iang ing iong u ua uo uai ui uan un uang ueng ong ü üe üan ün';
const all = [...arpabet.split(' '), ...pinyin.split(' '), pausePhone];

const visemesOf = (phone: string): string =>
  phoneParts(phone)
    .map(({ viseme }) => oculusVisemeNames[viseme]?.replace('viseme_', ''))
    .join(' ');

describe('phones', () => {
  it('have a mouth, each, whose shares sum to 1', () => {
    for (const phone of all) {
      expect(isPhone(phone), phone).toBe(true);
      const shares = phoneParts(phone).map(({ share }) => share);
      expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 9);
    }
  });

  it('glide where the mouth moves far', () => {
    expect(visemesOf('AY')).toBe('aa I');
    expect(phoneParts('AW').map(({ share }) => share)).toEqual([0.6, 0.4]);
    expect(visemesOf('iang')).toBe('I aa nn');
    expect(visemesOf('R')).toBe('RR');
  });

  it('make contacts of the lips', () => {
    expect(all.filter(isBilabial)).toEqual(['B', 'M', 'P', 'b', 'p', 'm']);
    expect(all.filter(isLabiodental)).toEqual(['F', 'V', 'f']);
  });

  it('are refused where no table has them', () => {
    expect(isPhone('AA1')).toBe(false);
    expect(() => phoneParts('constructor')).toThrow('There is no phone "constructor"');
  });
});
