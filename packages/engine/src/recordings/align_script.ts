import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { alignWords } from '@likeness/speech/align/index.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { readScript, ScriptError, scriptLanguageFault } from '@likeness/speech/words/index.ts';
import { Refusal } from '../http/refusal.ts';
import type { AlignOrder } from './recording_orders.ts';

/**
 * Finds the start and end times of a script's words.
 *
 * @throws {Refusal} 422 `script_empty`, `no_dictionary`, `too_many_words`, `phone_unknown`, 400
 * `field_wrong_value` for impossible pins
 */
export async function alignScript(
  voice: TakeVoice,
  { script, language, pronunciations, pinned }: AlignOrder,
  onProgress: (share: number) => void,
): Promise<SpeechAlignment> {
  if (language === 'auto' && scriptLanguageFault(script) !== null) throw noDictionary();
  const read = await readScript(script, { language, pronunciations }).catch(refuseScript);
  if (read.words.length === 0) throw read.unknown.length > 0 ? noDictionary() : emptyScript();
  try {
    const { verdict, words } = await alignWords(voice, read.words, { pinned, onProgress });
    return { verdict, words, unknown: read.unknown };
  } catch (error) {
    if (error instanceof RangeError && pinned.length > 0) throw wrongPins();
    throw error;
  }
}

function refuseScript(error: unknown): never {
  if (!(error instanceof ScriptError)) throw error;
  const { fault, params } = error;
  if (fault === 'too_many_words') {
    throw new Refusal(
      422,
      'too_many_words',
      {
        en: `The script has more than ${params.limit} words. Cut it, and the recording with it.`,
        zh: `脚本超过 ${params.limit} 个词。请将脚本和录音一同切分。`,
      },
      { field: 'script' },
    );
  }
  throw new Refusal(
    422,
    'phone_unknown',
    {
      en: `The pronunciation of “${params.word}” contains an unknown phone: “${params.phone}”. Write ARPAbet (HH AH L OW) or pinyin initials and finals (n i).`,
      zh: `“${params.word}”的发音含有不存在的音素“${params.phone}”。请使用 ARPAbet（HH AH L OW）或拼音声母和韵母（n i）。`,
    },
    { field: 'pronunciations' },
  );
}

const emptyScript = (): Refusal =>
  new Refusal(
    422,
    'script_empty',
    {
      en: 'The script has no words. Type the words of the recording.',
      zh: '脚本中没有任何词。请输入所说的内容。',
    },
    { field: 'script' },
  );

const noDictionary = (): Refusal =>
  new Refusal(
    422,
    'no_dictionary',
    {
      en: 'The engine has no dictionary for the script’s language. It supports English and Mandarin.',
      zh: '脚本所用的语言没有词典：目前支持英语和普通话。',
    },
    { field: 'script' },
  );

const wrongPins = (): Refusal =>
  new Refusal(
    400,
    'field_wrong_value',
    {
      en: 'The times in "pinned" overlap, lie outside the recording or belong to no word of the script.',
      zh: '"pinned" 中的时间互相重叠、超出录音范围，或不属于脚本中的任何词。',
    },
    { field: 'pinned' },
  );
