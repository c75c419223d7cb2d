/**
 * The variables that a child process of ours inherits: the system's (Windows has no sockets without them),
 * but none of ours: those may hold a person's keys.
 */
export function inheritable(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('LIKENESS_'),
    ),
  );
}
