import { writeFile } from 'node:fs/promises';
import { createPortraitEngine, PortraitError, portraitFailMessage } from '@likeness/portrait';

const engine = createPortraitEngine();
try {
  const { glb, report } = await engine.head({ photo: process.argv[2] ?? 'portrait.jpg', sex: 'female' });
  await writeFile('head.glb', glb);
  console.log(`head.glb: ${glb.length} bytes, warnings: ${report.warnings.join(', ') || 'none'}`);
} catch (error) {
  if (!(error instanceof PortraitError)) throw error;
  console.error(portraitFailMessage(error).text);
}
await engine.close();
