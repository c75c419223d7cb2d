/**
 * Parts of a script that nobody speaks: stage directions, captions of sounds, speakers' names, songs between notes,
 * and the tags of subtitle files.
 */

/** Tags of subtitles (<i>, <v Anna>, <00:00:01.000>) and invisible characters. */
const markup = /<\/?[a-z\d][^<>\n]{0,200}>|&nbsp;|&lrm;|&rlm;/giu;
/** Noises as aligners and transcribers mark them: {SL}, ++COUGH++, &=laughs, [laughs], 【音乐】. For any regular expression. */
export const noiseMark = [
  String.raw`\{[^{}\n]{0,100}\}`,
  String.raw`\+\+[^+\n]{1,60}\+\+`,
  String.raw`&=\S{1,60}`,
  String.raw`\[[^[\]]{0,300}\]`,
  '【[^【】]{0,300}】|〔[^〔〕]{0,300}〕',
].join('|');
/** The lengths are limited, so that an opening bracket without an end removes nothing. */
const always: readonly RegExp[] = [
  new RegExp(noiseMark, 'gu'),
  // Songs.
  /[♪♫♬][^♪♫♬\n]{0,500}(?:\n[^♪♫♬\n]{1,500})?[♪♫♬]/gu,
  /[♪♫♬][^\n]{0,500}/gu,
];

const bracketed = /\(([^()\n]{1,120})\)|（([^（）\n]{1,120})）/gu;

const starred = /\*([^*\n]{1,60})\*/gu;

/** What sounds and voices do, so that `(laughs softly)` is a direction and `(and he meant it)` is said. */
const english = new RegExp(
  `\\b(?:${[
    'music|song|applause|laughter|silence|beat|pause|static|noise|inaudible|unintelligible|indistinct|crosstalk',
    'laugh|chuckle|giggle|sigh|gasp|cough|sneeze|sniff|sob|cry|scream|shout|yell|whisper|mumble|mutter|grunt|groan',
    'moan|hum|sing|clap|cheer|breathe|inhale|exhale|snore|clear|knock|ring|bark|smile|nod|whistle|yawn|wink|shrug',
    'ding|beep|buzz|off.?screen|voice.?over|o\\.s|v\\.o|o\\.c|cont.?d|continued|sotto voce|to camera|aside|softly',
    'quietly|loudly|angrily|sadly|sarcastic|sarcastically|nervously|excitedly',
  ].join('|')})(?:e?s|ing|ed|ter)?\\b`,
  'iu',
);
const mandarin =
  /^(?:.{0,6}(?:音乐|掌声|笑声?|哭声?|叹气|叹息|旁白|停顿|咳嗽|沉默|鼓掌|欢呼|画外音|音效|唱|低声|小声|大声|轻声|喊|铃声|敲门|哼|微笑|大笑).{0,4})$/u;
const maxDirectionWords = 5;

/** `ANNA:`, `- Anna (off):`, `>> Speaker 2:`, `小明：` at a line's beginning. */
const label =
  /^[ \t]*(?:(?:-|–|—|>>)[ \t]*)?(\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,30}?)(?:[ \t]*[(（][^()（）\n]{0,40}[)）])?[ \t]*(?::|：)(?=\s|\p{L}|["“「'‘])/gmu;
const surelyLabel =
  /^(?:speaker|narrator|host|guest|interviewer|interviewee|announcer|voice|man|woman|boy|girl)(?: ?\d+)?$/iu;
const surelyMandarinLabel = /^(?:旁白|主持人|记者|嘉宾|主播|男声?|女声?|老师|学生|说话人 ?\d*|甲|乙|丙)$/u;

/**
 * Returns a text of the same length with spaces in place of everything that nobody speaks.
 *
 * @param report receives each part that is removed, but no markup
 */
export function blankUnspoken(text: string, report: (part: string) => void = () => {}): string {
  const remove = (part: string): string => {
    report(part.trim());
    return blank(part);
  };
  let spoken = text.replace(markup, blank);
  for (const pattern of always) spoken = spoken.replace(pattern, remove);
  spoken = spoken.replace(starred, (whole, inside: string) => (isDirection(inside) ? remove(whole) : whole));
  spoken = spoken.replace(bracketed, (whole, inside?: string, inside2?: string) =>
    isDirection(inside ?? inside2 ?? '') ? remove(whole) : whole,
  );
  const times = new Map<string, number>();
  for (const [, name] of spoken.matchAll(label)) times.set(name!, (times.get(name!) ?? 0) + 1);
  spoken = spoken.replace(label, (whole, name: string) =>
    isSpeaker(name, times.get(name) ?? 0) ? remove(whole) : whole,
  );
  return spoken.replace(/^[ \t]*>>/gmu, blank);
}

const blank = (whole: string): string => whole.replace(/[^\n\r]/g, ' ');

function isDirection(inside: string): boolean {
  const text = inside.trim();
  if (/\p{Script=Han}/u.test(text)) return mandarin.test(text);
  return text.split(/\s+/).length <= maxDirectionWords && english.test(text);
}

/** A name in capitals is one always; `Anna:` and `小明：` where they come back, since `Note:` is said. */
function isSpeaker(name: string, times: number): boolean {
  if (surelyLabel.test(name) || surelyMandarinLabel.test(name)) return true;
  if (/\p{Script=Han}/u.test(name)) return name.length <= 6 && times >= 2;
  if (!/\p{Lu}/u.test(name) || name.split(' ').length > 4) return false;
  if (name.length >= 2 && name === name.toUpperCase()) return true;
  return times >= 2 && /^\p{Lu}/u.test(name);
}
