/** What aligners write where nothing is said. */
const silences = /^(?:sil|sp|spn|pau|h#|#|<eps>|<unk>|<s>|<\/s>|<p:>|_|-|sent-start|sent-end)$/i;
const phone = /^(?:[A-Z]{1,2}[012]?|sil|sp|spn)$/;
const fewestPhones = 6;

/**
 * The words of labels with their silences left out. Chinese ones are put together: spaces between characters would
 * hide from the dictionary which of them are a word.
 */
export function labelsAsText(labels: readonly string[]): string {
  return labels
    .map((label) => label.trim())
    .filter((label) => label !== '' && !silences.test(label))
    .join(' ')
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
}

/** Labels that are phones all over: no word can be told from them. */
export function arePhones(labels: readonly string[]): boolean {
  const told = labels.map((label) => label.trim()).filter(Boolean);
  return told.length >= fewestPhones && told.every((label) => phone.test(label) || silences.test(label));
}

/**
 * Labels of a `.lab` file: HTK's (start and end in 100 ns, then the label), those of ESPS and Festival (end in
 * seconds, a colour, the label, after a `#`), or none, where it is plain words as forced aligners take them.
 */
export function readLabels(text: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const head = lines.indexOf('#');
  const body = (head >= 0 ? lines.slice(head + 1) : lines).filter(
    (line) => line !== '' && line !== '.' && !/^(?:#!MLF!#|".*")$/.test(line),
  );
  if (body.length === 0) return null;
  const htk = body.map((line) => /^\d+\s+\d+\s+(\S+)/.exec(line)?.[1]);
  if (htk.every((label) => label !== undefined)) return htk;
  const festival = body.map(
    (line) => /^\d+(?:\.\d+)?\s+\d+\s+(\S+)/.exec(line)?.[1] ?? /^\d+\.\d+\s+\d*\s*(\S+)$/.exec(line)?.[1],
  );
  return festival.every((label) => label !== undefined) ? festival : null;
}
