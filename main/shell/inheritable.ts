/**
 * Returns the system's environment variables for a child process (Windows has no sockets without them).
 * Excludes the studio's, which may contain the user's keys.
 */
export function inheritable(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('LIKENESS_'),
    ),
  );
}
