/** Extensions of script files, in the order in which they are looked for beside a sound. */
export const scriptEndings = ['txt', 'srt', 'vtt', 'lab', 'textgrid'] as const;

/** Languages that the studio can align. */
const heardLanguages = ['en', 'zh'];

/** Key under which two names count as equal: NFC, lower case, no blanks at the ends. */
const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().trim();

const parted = (name: string): [stem: string, ending: string] => {
  const at = name.lastIndexOf('.');
  return at <= 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
};

/** Whether a file name has a script's extension. */
export const isScriptName = (name: string): boolean => endingRank(name) >= 0;

const endingRank = (name: string): number =>
  (scriptEndings as readonly string[]).indexOf(parted(name)[1].toLowerCase());

export interface ScriptBeside {
  /** Name of the file; null if there is none, or several equally good ones. */
  name: string | null;
  /** Names of several in other languages, of which none was chosen. */
  several: readonly string[];
}

/**
 * The script beside a sound, by its name: `talk.wav` → `talk.txt`, then `.srt`, `.vtt` …; also `talk.wav.srt`; else the
 * one with a language, as downloaders name them: `talk.en.vtt`.
 *
 * @param names of all files that lie there
 */
export function scriptBeside(sound: string, names: readonly string[]): ScriptBeside {
  const scripts = names
    .filter((name) => isScriptName(name) && name !== sound)
    .toSorted((a, b) => endingRank(a) - endingRank(b));
  const stemOf = (name: string): string => parted(name)[0];
  const [stem] = parted(sound);
  const same = [
    (name: string) => stemOf(name) === stem,
    (name: string) => nameKey(stemOf(name)) === nameKey(stem),
    (name: string) => nameKey(stemOf(name)) === nameKey(sound),
  ];
  for (const ending of scriptEndings) {
    const ofEnding = scripts.filter((name) => parted(name)[1].toLowerCase() === ending);
    for (const isSame of same) {
      const found = ofEnding.find(isSame);
      if (found !== undefined) return { name: found, several: [] };
    }
  }
  const tagged = scripts.flatMap((name) => {
    const language = languageAfter(nameKey(stem), nameKey(stemOf(name)));
    return language === null ? [] : [{ name, language }];
  });
  const heard = tagged.filter(({ language }) => heardLanguages.includes(language));
  const candidates = heard.length > 0 ? heard : tagged;
  const isOneLanguage = new Set(candidates.map(({ language }) => language)).size === 1;
  if (isOneLanguage) return { name: candidates[0]!.name, several: [] };
  return { name: null, several: candidates.map(({ name }) => name) };
}

/** The language that a name has behind another: `en` of `talk.en-US`, and of `talk_en`. */
function languageAfter(stem: string, longer: string): string | null {
  if (!longer.startsWith(stem)) return null;
  const [, mark, tag = ''] =
    /^([._-])([a-z]{2,3})(?:[-_][a-z\d]{2,8})*$/.exec(longer.slice(stem.length)) ?? [];
  if (mark === undefined) return null;
  const language = { eng: 'en', zho: 'zh', chi: 'zh', cmn: 'zh' }[tag] ?? tag;
  // Behind a dash or a line stands more than languages: talk-in.txt.
  if (mark !== '.') return heardLanguages.includes(language) ? language : null;
  return isLanguage(language) ? language : null;
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const isLanguage = (tag: string): boolean => languages.of(tag) !== undefined;
