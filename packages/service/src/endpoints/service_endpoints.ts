import type { ServiceEndpoint } from '@likeness/engine/http/endpoints.ts';
import type { OperationDescription } from '@likeness/engine/http/openapi/openapi_parts.ts';
import type { Answer, MoreEndpoints } from '@likeness/engine/http/server.ts';

/** One endpoint of the service besides the engine's own. */
export interface MoreEndpoint extends ServiceEndpoint {
  readonly answer: Answer;
  readonly description: OperationDescription;
  /** Its name in the announced extensions, if callers should know it. */
  readonly extension?: string;
}

/** Converts a table of endpoints to the listener's form. */
export function moreEndpoints(table: Readonly<Record<string, MoreEndpoint>>): MoreEndpoints {
  const entries = Object.entries(table);
  return {
    endpoints: Object.fromEntries(
      entries.map(([name, { method, path, auth }]) => [name, { method, path, auth }]),
    ),
    answers: Object.fromEntries(entries.map(([name, { answer }]) => [name, answer])),
    descriptions: Object.fromEntries(entries.map(([name, { description }]) => [name, description])),
    extensions: [...new Set(entries.flatMap(([, { extension }]) => extension ?? []))],
  };
}
