import type { ServiceEndpoint } from './endpoints.ts';

/** The endpoints at a path. */
export interface FoundRoute<Name extends string> {
  /** In the order of their table; empty if the path is unknown. */
  readonly atPath: readonly ServiceEndpoint[];
  /** The endpoint for the request's method. */
  readonly match: { name: Name; endpoint: ServiceEndpoint; parameters: Record<string, string> } | null;
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
    const atPath: ServiceEndpoint[] = [];
    for (const { name, endpoint, segments: pattern } of routes) {
      const parameters = matchSegments(pattern, segments);
      if (!parameters) continue;
      atPath.push(endpoint);
      if (methodsOf(endpoint).includes(method)) return { atPath, match: { name, endpoint, parameters } };
    }
    return { atPath, match: null };
  };
}

/** The methods that an endpoint answers to: GET also allows HEAD. */
export const methodsOf = ({ method }: ServiceEndpoint): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** @returns The pattern's parameters, decoded; null if the path doesn't match. */
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
