import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ModelFacets, ModelQuery } from '#contract';
import { searchWords } from './search_text.ts';

/** SQL that lets through what a query asks for, over `models m`; with its values. */
export interface Conditions {
  where: string;
  values: SQLInputValue[];
}

const orders = {
  name: 'm.sortName',
  created: 'm.createdAt',
  changed: 'm.changedAt',
  rating: 'm.rating',
  size: 'm.bytes',
} as const;

/** @param now - Milliseconds since 1970: consents that ended before are expired. */
export function conditionsOf(query: ModelQuery, now: number): Conditions {
  const parts: string[] = [query.trash ? 'm.trashedAt IS NOT NULL' : 'm.trashedAt IS NULL'];
  const values: SQLInputValue[] = [];
  const add = (sql: string, ...given: SQLInputValue[]): void => {
    parts.push(sql);
    values.push(...given);
  };
  const { match, short } = searchWords(query.text ?? '');
  if (match !== '') add('m.row IN (SELECT rowid FROM searched WHERE searched MATCH ?)', match);
  for (const word of short) {
    add('m.row IN (SELECT row FROM texts WHERE instr(searchText, ?) > 0)', word);
  }
  if (query.libraryId) add('m.libraryId = ?', query.libraryId);
  if (query.sex) addChoice('sex', query.sex);
  if (query.eyelidType) addChoice('eyelidType', query.eyelidType);
  if (query.profileId) add('m.profileId = ?', query.profileId);
  if (query.source) add('m.source = ?', query.source);
  if (query.state) add('m.state = ?', query.state);
  if (query.tag) add('EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.row = m.row)', query.tag);
  if (query.collectionId) {
    add('EXISTS (SELECT 1 FROM shelved s WHERE s.collectionId = ? AND s.row = m.row)', query.collectionId);
  }
  if (query.rating) add('m.rating >= ?', query.rating);
  if (query.consentExpired === true) add('m.consentUntil < ?', now);
  if (query.consentExpired === false) add('(m.consentUntil IS NULL OR m.consentUntil >= ?)', now);
  if (query.createdFrom !== undefined) add('m.createdAt >= ?', query.createdFrom);
  if (query.createdTo !== undefined) add('m.createdAt <= ?', query.createdTo);
  return { where: parts.join(' AND '), values };

  function addChoice(column: 'sex' | 'eyelidType', value: string): void {
    if (value === 'unset') add(`m.${column} IS NULL`);
    else add(`m.${column} = ?`, value);
  }
}

/**
 * What a query is sorted by (a column of `models m`), and which way; the newest first where it says nothing. Rows
 * that are alike keep one order, that of `row`.
 */
export function orderOf(query: ModelQuery): { column: string; direction: 'ASC' | 'DESC' } {
  const direction = (query.descending ?? query.sort === undefined) ? 'DESC' : 'ASC';
  return { column: orders[query.sort ?? 'created'], direction };
}

/** Counts what the found models are like, most frequent first. */
export function countFacets(db: DatabaseSync, { where, values }: Conditions): ModelFacets {
  // One pass over all that was found; the combinations that there are, are few.
  const combinations = db
    .prepare(
      `SELECT coalesce(m.sex, 'unset') AS sex, coalesce(m.eyelidType, 'unset') AS eyelidType, m.profileId AS profile,
         max(m.profileName) AS profileName, m.source AS source, m.state AS state, m.rating AS rating, count(*) AS count
       FROM models m WHERE ${where} GROUP BY m.sex, m.eyelidType, m.profileId, m.source, m.state, m.rating`,
    )
    .all(...values);
  const facet = (value: string, label = value): ModelFacets['sex'] => {
    const counts = new Map<string, { value: string; label: string; count: number }>();
    for (const row of combinations) {
      const key = String(row[value]);
      const sum = counts.get(key) ?? { value: key, label: String(row[label]), count: 0 };
      sum.count += Number(row.count);
      counts.set(key, sum);
    }
    return [...counts.values()].sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
  };
  const tags = db
    .prepare(
      `SELECT t.tag AS tag, count(*) AS count FROM models m JOIN tags t ON t.row = m.row WHERE ${where}
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50`,
    )
    .all(...values);
  return {
    sex: facet('sex'),
    eyelidType: facet('eyelidType'),
    profile: facet('profile', 'profileName').filter(({ value }) => value !== ''),
    source: facet('source'),
    state: facet('state'),
    rating: facet('rating'),
    tag: tags.map((row) => ({ value: String(row.tag), label: String(row.tag), count: Number(row.count) })),
  };
}
