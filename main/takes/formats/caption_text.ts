/**
 * The words of a SubRip or WebVTT file, a line a cue. Read here and not by a package: @plussub/srt-vtt-parser takes
 * the number and the time of the next cue for words where a cue is empty, and throws for a file with one bad line.
 *
 * @returns null where there is not one cue
 */
export function captionText(text: string): string | null {
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n+/);
  const cues: string[] = [];
  let found = false;
  for (const block of blocks) {
    const lines = block.split('\n');
    const time = lines.findIndex((line) => timeLine.test(line));
    if (time < 0) continue;
    found = true;
    // A cue without a blank line after it is followed by the next one's number and time.
    for (let at = time; at >= 0 && at < lines.length; ) {
      const after = lines.findIndex((line, place) => place > at && timeLine.test(line));
      const end = after < 0 ? lines.length : /^\d+\s*$/.test(lines[after - 1] ?? '') ? after - 1 : after;
      cues.push(...cueLines(lines.slice(at + 1, end), cues.at(-1)));
      at = after;
    }
  }
  return found ? cues.join('\n') : null;
}

const timeLine = /^\s*(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}/;
const rolling = /<\d{2}:\d{2}(?::\d{2})?\.\d{3}>/;

function cueLines(lines: readonly string[], last: string | undefined): string[] {
  const plain = lines.map((line) => withoutTags(line).trim()).filter((line) => line !== '');
  // Rolling captions show the line before once more above the new one, or alone.
  const repeats =
    plain[0] !== undefined &&
    plain[0] === last &&
    (lines.some((line) => rolling.test(line)) || plain.length === 1);
  const said = repeats ? plain.slice(1) : plain;
  return said.length > 0 ? [said.join('\n')] : [];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  lrm: '',
  rlm: '',
};

function withoutTags(line: string): string {
  return line
    .replace(/<\/?[a-z\d][^<>]*>/gi, '')
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|quot|lrm|rlm);/g, (_, name: string) => entities[name] ?? '');
}
