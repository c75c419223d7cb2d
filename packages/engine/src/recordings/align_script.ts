import { t } from '@likeness/messages';
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
    throw new Refusal(422, 'too_many_words', t('refusal.too_many_words', { limit: String(params.limit) }), {
      field: 'script',
    });
  }
  throw new Refusal(
    422,
    'phone_unknown',
    t('refusal.phone_unknown', { word: String(params.word), phone: String(params.phone) }),
    { field: 'pronunciations' },
  );
}

const emptyScript = (): Refusal =>
  new Refusal(422, 'script_empty', t('refusal.script_empty'), { field: 'script' });

const noDictionary = (): Refusal =>
  new Refusal(422, 'no_dictionary', t('refusal.no_dictionary'), { field: 'script' });

const wrongPins = (): Refusal =>
  new Refusal(400, 'field_wrong_value', t('refusal.pins_wrong'), { field: 'pinned' });
