import { readFile } from 'node:fs/promises';
import { readWav, toSamples } from '@likeness/proto/wav.ts';
import { loadSpeechModel, SpeechFace, speechFaceChannels } from '@likeness/speech';

const wav = readWav(await readFile(process.argv[2] ?? 'voice.wav'));
const face = new SpeechFace(loadSpeechModel(), wav.format);
const frames = [...face.push(toSamples(wav)), ...face.end()];

console.log(`${frames.length} frames, ${speechFaceChannels.length} channels`);
const jaw = speechFaceChannels.indexOf('jawOpen');
for (const { timeCode, weights } of frames) console.log(timeCode.toFixed(3), weights[jaw]?.toFixed(2));
