import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Maximum prepared statements to keep; searches build many different ones. */
const maxKept = 300;

/** Prepares each statement once: compiling a small one takes as long as running it. */
export function preparedOnce(db: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const there = statements.get(sql);
    if (there) return there;
    if (statements.size >= maxKept) statements.clear();
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
