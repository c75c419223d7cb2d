import { type CsvCell, csvLine } from '@likeness/node-kit/csv.ts';
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

/** Writes the records of models as CSV (RFC 4180, times in ISO 8601) or as JSON. */
export function exportRecords(models: readonly Model[], format: 'csv' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(models, null, 2)}\n`;
  const rows = models.map((model) => {
    const flat: Record<(typeof columns)[number], CsvCell> = {
      ...model,
      tags: model.tags.join(';'),
      createdAt: iso(model.createdAt),
      changedAt: iso(model.changedAt),
      consentWho: model.consent.who,
      consentBasis: model.consent.basis,
      consentUntil: model.consent.until === null ? '' : iso(model.consent.until),
    };
    return csvLine(columns.map((column) => flat[column]));
  });
  return csvLine(columns) + rows.join('');
}

const iso = (at: number): string => (at > 0 ? new Date(at).toISOString() : '');
