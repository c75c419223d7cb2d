import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type ModelFacets, type ModelQuery, type SearchField, searchFields } from '#contract';
import { readSearch, type SearchTerm } from '../../base/search/search_terms.ts';
import { isOutdated } from './engine_age.ts';
import { indexedWords } from './search_text.ts';

/** Returns the SQL condition of a query over `models m`, with its values. */
export interface Conditions {
  where: string;
  values: SQLInputValue[];
}

const orders = {
  name: 'm.sortName',
  created: 'm.madeAt',
  changed: 'm.changedAt',
  rating: 'm.rating',
  size: 'm.bytes',
} as const;

/**
 * @param now - Milliseconds since 1970: earlier end dates of consents have expired.
 * @param engine - Number of the built-in engine: heads of a lower one are outdated.
 */
export function conditionsOf(query: ModelQuery, now: number, engine = 0): Conditions {
  const parts: string[] = [query.trash ? 'm.trashedAt IS NOT NULL' : 'm.trashedAt IS NULL'];
  const values: SQLInputValue[] = [];
  const add = (sql: string, ...given: SQLInputValue[]): void => {
    parts.push(sql);
    values.push(...given);
  };
  const { terms } = readSearch(query.text ?? '', searchFields, now);
  // All long words are looked up at once.
  const matches = terms.flatMap((term) => {
    const words = term.kind === 'words' && !term.not ? indexedWords(term.text) : undefined;
    return words && 'match' in words ? [words.match] : [];
  });
  if (matches.length > 0)
    add('m.row IN (SELECT rowid FROM searched WHERE searched MATCH ?)', matches.join(' AND '));
  for (const term of terms) {
    const words = term.kind === 'words' && !term.not ? indexedWords(term.text) : undefined;
    if (words && 'match' in words) continue;
    const { sql, given } = conditionOf(term, now);
    add(term.not ? `NOT (${sql})` : sql, ...given);
  }
  if (query.libraryId) add('m.libraryId = ?', query.libraryId);
  if (query.sex) addChoice('sex', query.sex);
  if (query.eyelidType) addChoice('eyelidType', query.eyelidType);
  if (query.profileId) add('m.profileId = ?', query.profileId);
  if (query.source) add('m.source = ?', query.source);
  if (query.state) add('m.state = ?', query.state);
  if (query.tag) add('EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.row = m.row)', query.tag);
  if (query.untagged === true) add('NOT EXISTS (SELECT 1 FROM tags t WHERE t.row = m.row)');
  if (query.untagged === false) add('EXISTS (SELECT 1 FROM tags t WHERE t.row = m.row)');
  if (query.flag) add('m.flag IS ?', query.flag === 'none' ? null : query.flag);
  if (query.collectionId) {
    add('EXISTS (SELECT 1 FROM shelved s WHERE s.collectionId = ? AND s.row = m.row)', query.collectionId);
  }
  if (query.rating) add('m.rating >= ?', query.rating);
  if (query.consentExpired === true) add('m.consentUntil < ?', now);
  if (query.consentExpired === false) add('(m.consentUntil IS NULL OR m.consentUntil >= ?)', now);
  if (query.outdated !== undefined) add(query.outdated ? isOutdated : `NOT ${isOutdated}`, engine);
  if (query.createdFrom !== undefined) add('m.madeAt >= ?', query.createdFrom);
  if (query.createdTo !== undefined) add('m.madeAt <= ?', query.createdTo);
  return { where: parts.join(' AND '), values };

  function addChoice(column: 'sex' | 'eyelidType', value: string): void {
    if (value === 'unset') add(`m.${column} IS NULL`);
    else add(`m.${column} = ?`, value);
  }
}

/** One term as SQL that is true or false, never null, so that it can be negated. */
function conditionOf(term: SearchTerm<SearchField>, now: number): { sql: string; given: SQLInputValue[] } {
  const where = (sql: string, ...given: SQLInputValue[]) => ({ sql, given });
  switch (term.kind) {
    case 'words': {
      const words = indexedWords(term.text);
      return 'match' in words
        ? where('m.row IN (SELECT rowid FROM searched WHERE searched MATCH ?)', words.match)
        : where('m.row IN (SELECT row FROM texts WHERE instr(searchText, ?) > 0)', words.within);
    }
    case 'stars':
      return where('m.rating BETWEEN ? AND ?', term.least, term.most);
    case 'day':
      return where('m.madeAt BETWEEN ? AND ?', term.least, term.most);
    case 'text':
      if (term.field === 'by') return where('instr(lower(m.profileName), ?) > 0', term.text);
      return term.whole
        ? where('m.row IN (SELECT row FROM tags WHERE folded = ?)', term.text)
        : where(
            'm.row IN (SELECT row FROM tags WHERE folded >= ? AND folded < ?)',
            term.text,
            `${term.text}\u{10ffff}`,
          );
    case 'word':
      return knownValue(term.field, term.value, now);
  }
}

const states: Readonly<Record<string, readonly string[]>> = {
  ok: ['ok'],
  missing: ['missing_model'],
  broken: ['broken_model', 'broken_record'],
};

/** A field with one of its known values. */
function knownValue(field: SearchField, value: string, now: number): { sql: string; given: SQLInputValue[] } {
  const given = value === 'none' ? null : value;
  switch (field) {
    case 'sex':
      return { sql: 'm.sex IS ?', given: [given] };
    case 'eyelid':
      return { sql: 'm.eyelidType IS ?', given: [given] };
    case 'flag':
      return { sql: 'm.flag IS ?', given: [given] };
    case 'from':
      return { sql: 'm.source = ?', given: [value === 'photo' ? 'portrait' : value] };
    case 'state': {
      const those = states[value] ?? [];
      return { sql: `m.state IN (${those.map(() => '?').join(', ')})`, given: [...those] };
    }
    case 'consent':
      return { sql: 'coalesce(m.consentUntil < ?, 0)', given: [now] };
    default:
      return { sql: 'NOT EXISTS (SELECT 1 FROM tags t WHERE t.row = m.row)', given: [] };
  }
}

/**
 * The sort column of `models m` and its direction; newest first by default. Equal rows keep the order of
 * `row`.
 */
export function orderOf(query: ModelQuery): { column: string; direction: 'ASC' | 'DESC' } {
  const direction = (query.descending ?? query.sort === undefined) ? 'DESC' : 'ASC';
  return { column: orders[query.sort ?? 'created'], direction };
}

/** Facet counts of the found models, most frequent first. */
export function countFacets(db: DatabaseSync, { where, values }: Conditions): ModelFacets {
  // One pass over all results; there are few combinations.
  const combinations = db
    .prepare(
      `SELECT coalesce(m.sex, 'unset') AS sex, coalesce(m.eyelidType, 'unset') AS eyelidType, m.profileId AS profile,
         max(m.profileName) AS profileName, m.source AS source, m.state AS state, m.rating AS rating,
         coalesce(m.flag, 'none') AS flag, m.tags = '[]' AS untagged, count(*) AS count
       FROM models m WHERE ${where}
       GROUP BY m.sex, m.eyelidType, m.profileId, m.source, m.state, m.rating, m.flag, m.tags = '[]'`,
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
    flag: facet('flag'),
    untagged: combinations.reduce((sum, row) => sum + (row.untagged === 1 ? Number(row.count) : 0), 0),
    tag: tags.map((row) => ({ value: String(row.tag), label: String(row.tag), count: Number(row.count) })),
  };
}
