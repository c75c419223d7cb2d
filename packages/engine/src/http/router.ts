import type { ServiceEndpoint } from './endpoints.ts';

/** What lies at a path. */
export interface FoundRoute<Name extends string> {
  /** The endpoints there, in the order of their table; none where there is nothing. */
  readonly there: readonly ServiceEndpoint[];
  /** The one that this method asks for. */
  readonly wanted: { name: Name; endpoint: ServiceEndpoint; parameters: Record<string, string> } | null;
}

export function createRouter<Name extends string>(
  endpoints: Readonly<Record<Name, ServiceEndpoint>>,
): (method: string, path: string) => FoundRoute<Name> {
  const routes = Object.entries<ServiceEndpoint>(endpoints).map(([name, endpoint]) => ({
    name: name as Name,
    endpoint,
    segments: endpoint.path.split('/'),
  }));
  return (method, path) => {
    const segments = path.split('/');
    const there: ServiceEndpoint[] = [];
    for (const { name, endpoint, segments: pattern } of routes) {
      const parameters = matchSegments(pattern, segments);
      if (!parameters) continue;
      there.push(endpoint);
      if (methodsOf(endpoint).includes(method)) return { there, wanted: { name, endpoint, parameters } };
    }
    return { there, wanted: null };
  };
}

/** Methods that an endpoint answers to: what can be read can also be asked after. */
export const methodsOf = ({ method }: ServiceEndpoint): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** @returns What the names in the pattern stand for, decoded; null where it doesn't match. */
function matchSegments(
  patterns: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (patterns.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const pattern = patterns[i]!;
    if (!pattern.startsWith('{')) {
      if (pattern !== segment) return null;
      continue;
    }
    try {
      parameters[pattern.slice(1, -1)] = decodeURIComponent(segment);
    } catch {
      return null;
    }
  }
  return parameters;
}
