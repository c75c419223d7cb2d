/** Fields that the contract keeps as milliseconds since 1970. */
const isTime = (field: string): boolean => field === 'at' || field === 'until' || field.endsWith('At');

/** A sentence is told in English here, whatever the language of the terminal: programs compare it. */
const isSentence = (part: unknown): part is { text: string } =>
  typeof part === 'object' && part !== null && 'key' in part && 'values' in part && 'text' in part;

/** A value for other programs: times as ISO 8601, in UTC. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (field, part: unknown) => {
      if (isSentence(part)) return part.text;
      return typeof part === 'number' && isTime(field) ? new Date(part).toISOString() : part;
    },
    indent,
  );
