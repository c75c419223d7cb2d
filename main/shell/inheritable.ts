/**
 * Returns the variables for a child process: the system's (Windows has no sockets without them), but not
 * ours, which may contain the user's keys.
 */
export function inheritable(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('LIKENESS_'),
    ),
  );
}
