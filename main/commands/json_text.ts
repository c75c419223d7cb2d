/** Fields that the contract keeps as milliseconds since 1970. */
const isTime = (field: string): boolean => field === 'at' || field === 'until' || field.endsWith('At');

/** A value for other programs: times as ISO 8601, in UTC. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (field, part: unknown) =>
      typeof part === 'number' && isTime(field) ? new Date(part).toISOString() : part,
    indent,
  );
