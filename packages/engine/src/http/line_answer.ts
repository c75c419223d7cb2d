import type { ServerResponse } from 'node:http';
import type { Language } from './language.ts';
import { failure } from './listener_refusals.ts';
import { Refusal } from './refusal.ts';

/** Milliseconds between two progress lines. */
const reportIntervalMs = 100;

/**
 * Answers in lines of JSON (application/x-ndjson): `{"progress":0.4}` at most ten times a second, then the
 * result or `{"error":{code,message,messages}}`.
 *
 * @param onDefect called with errors that aren't refusals
 */
export async function answerInLines(
  response: ServerResponse,
  language: Language,
  work: (report: (progress: number) => void) => Promise<object>,
  onDefect: (error: unknown) => void,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
  });
  const line = (value: object): void => {
    if (!response.destroyed) response.write(`${JSON.stringify(value)}\n`);
  };
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (progress: number): void => {
    const now = performance.now();
    // Also skipped while the caller doesn't read: the lines would pile up.
    if (now - reportedAt < reportIntervalMs || response.writableNeedDrain) return;
    reportedAt = now;
    line({ progress: Math.round(1000 * Math.min(1, Math.max(0, progress))) / 1000 });
  };
  report(0);
  try {
    line(await work(report));
  } catch (error) {
    if (!(error instanceof Refusal)) onDefect(error);
    const { reason, text, field } = error instanceof Refusal ? error : failure(error);
    const detail = field === undefined ? {} : { field };
    line({ error: { code: reason, message: text[language], messages: text, ...detail } });
  }
  response.end();
}
