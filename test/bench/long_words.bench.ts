/**
 * `LONG_HOURS=1 npm run bench -- long_words`: what three hours of sound cost with their script of 30,000 words, with
 * one of 200,000 that is not theirs, and with one word more than that: words, and the face that is made then. Seconds
 * are the processor's; memory is the most that the whole process has held until then.
 */
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { alignScript } from '@likeness/engine/recordings/align_script.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { loadFullPassModel } from '@likeness/speech';
import { TakeFaceMaker } from '@likeness/speech/take/take_face.ts';
import { VoiceAnalyser } from '@likeness/speech/take/voice_analyser.ts';
import { fliteVoice } from './speech_audio.ts';
import { developmentLines, testLines } from './speech_lines.ts';

const hours = Number(process.env.LONG_HOURS ?? 3);
const lines = [...developmentLines, ...testLines];
const words = (script: readonly string[]): number => script.join(' ').split(' ').length;

async function timed<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const made = await work();
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(`${name}: ${((user + system) / 1e6).toFixed(1)} s, ${megabytes.toFixed(0)} MB at most`);
  return made;
}

const spoken = fliteVoice('kal16', lines).sound;
const rounds = Math.ceil((hours * 3600 * 16_000) / spoken.length);
const script = Array.from({ length: rounds }, () => lines).flat();
const second = await loadFullPassModel();
const voice = await timed(`${hours} hours heard`, () => {
  const hearing = new VoiceAnalyser(second);
  for (let round = 0; round < rounds; round++) hearing.push(spoken);
  return hearing.end();
});

async function align(name: string, text: readonly string[]): Promise<void> {
  const given = words(text);
  await timed(`${name}, ${given} words`, async () => {
    try {
      const order = { script: text.join('\n'), language: 'en', pronunciations: {}, pinned: [] } as const;
      const alignment = await alignScript(voice, { kind: 'align', voice: '', ...order }, () => {});
      const flagged = alignment.words.filter(({ flag }) => flag !== null).length;
      console.log(`  ${alignment.verdict}, ${flagged} of ${alignment.words.length} words flagged`);
      const face = new TakeFaceMaker(voice, second);
      let count = 0;
      for (const some of face.frames(alignment.verdict === 'aligned' ? alignment : null, { frameRate: 60 }))
        count += some.length;
      console.log(`  ${count} frames of face`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      console.log(`  refused: ${error.message}`);
    }
  });
}

await align('its own script', script);
const random = seededRandom(3);
const vocabulary = lines.join(' ').split(' ');
const others = Array.from(
  { length: 200_001 },
  () => vocabulary[Math.floor(random() * vocabulary.length)] as string,
);
await align('other words', others.slice(1));
await align('one word more', others);
