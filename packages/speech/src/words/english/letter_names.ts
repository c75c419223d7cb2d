const names: Readonly<Record<string, string>> = {
  a: 'EY',
  b: 'B IY',
  c: 'S IY',
  d: 'D IY',
  e: 'IY',
  f: 'EH F',
  g: 'JH IY',
  h: 'EY CH',
  i: 'AY',
  j: 'JH EY',
  k: 'K EY',
  l: 'EH L',
  m: 'EH M',
  n: 'EH N',
  o: 'OW',
  p: 'P IY',
  q: 'K Y UW',
  r: 'AA R',
  s: 'EH S',
  t: 'T IY',
  u: 'Y UW',
  v: 'V IY',
  w: 'D AH B AX L Y UW',
  x: 'EH K S',
  y: 'W AY',
  z: 'Z IY',
};

/** Returns the names of English letters, one after another; none if a letter has no name. */
export function letterNames(letters: string): readonly string[] {
  const phones: string[] = [];
  for (const letter of letters.toLowerCase()) {
    const name = names[letter];
    if (!name) return [];
    phones.push(...name.split(' '));
  }
  return phones;
}
