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
    add('EXISTS (SELECT 1 FROM records r WHERE r.row = m.row AND instr(r.searchText, ?) > 0)', word);
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

/** `ORDER BY` of a query; the newest first where it says nothing. Rows that are alike keep one order. */
export function orderOf(query: ModelQuery): string {
  const column = orders[query.sort ?? 'created'];
  const direction = (query.descending ?? query.sort === undefined) ? 'DESC' : 'ASC';
  return `ORDER BY ${column} ${direction}, m.row ${direction}`;
}

/** Counts what the found models are like, most frequent first. */
export function countFacets(db: DatabaseSync, { where, values }: Conditions): ModelFacets {
  const rows = (value: string, label: string): ModelFacets['sex'] =>
    db
      .prepare(
        `SELECT ${value} AS value, ${label} AS label, count(*) AS count FROM models m WHERE ${where}
         GROUP BY 1 ORDER BY 3 DESC, 2`,
      )
      .all(...values)
      .map((row) => ({ value: String(row.value), label: String(row.label), count: Number(row.count) }));
  const plain = (column: string): ModelFacets['sex'] => rows(column, column);
  const tags = db
    .prepare(
      `SELECT t.tag AS tag, count(*) AS count FROM models m JOIN tags t ON t.row = m.row WHERE ${where}
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50`,
    )
    .all(...values);
  return {
    sex: plain(`coalesce(m.sex, 'unset')`),
    eyelidType: plain(`coalesce(m.eyelidType, 'unset')`),
    profile: rows('m.profileId', 'max(m.profileName)').filter(({ value }) => value !== ''),
    source: plain('m.source'),
    state: plain('m.state'),
    rating: plain('m.rating'),
    tag: tags.map((row) => ({ value: String(row.tag), label: String(row.tag), count: Number(row.count) })),
  };
}
