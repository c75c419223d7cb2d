/** Fields that contain milliseconds since 1970 in the contract. */
const isTime = (field: string): boolean => field === 'at' || field === 'until' || field.endsWith('At');

/** Messages are always English here, whatever the terminal's language, because programs compare them. */
const isSentence = (part: unknown): part is { text: string } =>
  typeof part === 'object' && part !== null && 'key' in part && 'values' in part && 'text' in part;

/** Converts a value for other programs: times as ISO 8601, in UTC. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (field, part: unknown) => {
      if (isSentence(part)) return part.text;
      return typeof part === 'number' && isTime(field) ? new Date(part).toISOString() : part;
    },
    indent,
  );
