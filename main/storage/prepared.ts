import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Forms of statements that are kept; those that searches put together differ in their conditions. */
const mostKept = 300;

/** Prepares each statement once: to compile a small one takes as long as to run it. */
export function preparedOnce(db: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const there = statements.get(sql);
    if (there) return there;
    if (statements.size >= mostKept) statements.clear();
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
