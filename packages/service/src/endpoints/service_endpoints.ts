import type { ServiceEndpoint } from '@likeness/engine/http/endpoints.ts';
import type { OperationDescription } from '@likeness/engine/http/openapi/openapi_parts.ts';
import type { Answer, MoreEndpoints } from '@likeness/engine/http/server.ts';

/** One endpoint of the service beside the engine's own. */
export interface MoreEndpoint extends ServiceEndpoint {
  readonly answer: Answer;
  readonly description: OperationDescription;
  /** The word that announces it, where callers are to know of it. */
  readonly extension?: string;
}

/** The endpoints of a table, as the listener takes them. */
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
