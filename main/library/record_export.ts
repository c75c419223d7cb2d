import type { Model } from '#contract';

const columns = [
  'id',
  'name',
  'fileName',
  'source',
  'state',
  'sex',
  'eyelidType',
  'profileName',
  'remoteModelId',
  'rating',
  'tags',
  'notes',
  'createdAt',
  'changedAt',
  'bytes',
  'photoHash',
  'cost',
  'currency',
  'consentWho',
  'consentBasis',
  'consentUntil',
] as const;

/** What is known of models, as a table (RFC 4180, times in ISO 8601) or as JSON. */
export function exportRecords(models: readonly Model[], format: 'csv' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(models, null, 2)}\n`;
  const rows = models.map((model) => {
    const flat: Record<string, unknown> = {
      ...model,
      tags: model.tags.join(';'),
      createdAt: iso(model.createdAt),
      changedAt: iso(model.changedAt),
      consentWho: model.consent.who,
      consentBasis: model.consent.basis,
      consentUntil: model.consent.until === null ? '' : iso(model.consent.until),
    };
    return columns.map((column) => cell(flat[column])).join(',');
  });
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

const iso = (at: number): string => (at > 0 ? new Date(at).toISOString() : '');

function cell(value: unknown): string {
  let text = value === null || value === undefined ? '' : String(value);
  // A spreadsheet would run what begins like a formula; names come from files and servers.
  if (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text))) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
