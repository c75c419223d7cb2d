import { randomUUID } from 'node:crypto';
import { Journal } from '@likeness/journal';

const journal = new Journal({
  folder: 'journal',
  clock: Date.now,
  scrub: (text) => text.replaceAll(process.env.API_KEY ?? 'no key', '[key]'),
  onAppended: ({ sequence, operation, hash }) => console.log(sequence, operation, hash),
  processId: process.pid,
  run: randomUUID(),
});
journal.appendEvent({ operation: 'import', subject: 'head-1' });
journal.appendEvent({ operation: 'erase', subject: 'head-1' });

const { ok, entries } = await journal.verify();
console.log(`${entries} entries, ${ok ? 'unchanged' : 'changed'}`);
journal.close();
