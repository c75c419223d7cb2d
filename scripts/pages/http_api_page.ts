/** `docs/http-api.md`: the engine's OpenAPI description as a readable page. */
import { defaultLimits } from '@likeness/engine/http/limits.ts';
import { describeService } from '@likeness/engine/http/openapi/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
type Content = Readonly<Record<string, { schema: Schema }>>;
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  readonly requestBody?: { content: Content };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
}
interface Description {
  readonly info: { description: string };
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { schemas: Readonly<Record<string, Schema>> };
}

/** Takes no line break and no bar that would end a table's cell. */
const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`;

/** Returns a schema without its null alternative; undefined if it has none. */
function orNull(schema: Schema): Schema | undefined {
  const { anyOf, type } = schema;
  if (Array.isArray(type) && type[1] === 'null') return { ...schema, type: type[0] };
  return anyOf?.length === 2 && anyOf[1]?.type === 'null' ? anyOf[0] : undefined;
}

function kindOf(schema: Schema): string {
  const real = orNull(schema);
  if (real) return `${kindOf(real)} or null`;
  if (schema.$ref) return linkTo(nameOf(schema.$ref));
  if (schema.type === 'array') return `array of ${schema.items ? kindOf(schema.items) : 'anything'}`;
  const type = String(schema.type ?? 'any');
  const kind = schema.format ? `${type} (${schema.format})` : type;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values.length > 0 ? `${kind}: ${values.map((value) => `\`${value}\``).join(', ')}` : kind;
}

function remarkOf(schema: Schema): string {
  const range =
    schema.minimum !== undefined || schema.maximum !== undefined
      ? `From ${schema.minimum ?? '−∞'}${schema.maximum === undefined ? '' : ` to ${schema.maximum}`}`
      : '';
  const standard = schema.default === undefined ? '' : `Default \`${schema.default}\``;
  return cell([schema.description, range, standard].filter(Boolean).join('. '));
}

/** Returns the element schema of an array or nullable schema, otherwise the schema itself. */
function partsOf(schema: Schema): Schema {
  const real = orNull(schema);
  if (real) return partsOf(real);
  return schema.type === 'array' ? (schema.items ?? {}) : schema;
}

/** One row per property; nested properties are named with a dot. */
function rows(schema: Schema, before = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    `| \`${before}${name}\` | ${cell(kindOf(property))} | ${schema.required?.includes(name) ? 'yes' : ''} | ${remarkOf(property)} |`,
    ...rows(partsOf(property), `${before}${name}.`),
  ]);
}

const table = (schema: Schema): string[] =>
  Object.keys(schema.properties ?? {}).length > 0
    ? ['| field | what it is | required | |', '|---|---|---|---|', ...rows(schema), '']
    : [`${kindOf(schema)}${schema.description ? `: ${schema.description}` : ''}`, ''];

function contents(title: string, content: Content | undefined): string[] {
  return Object.entries(content ?? {}).flatMap(([type, { schema }]) => [
    `${title} \`${type}\`${schema.$ref ? `: ${linkTo(nameOf(schema.$ref))}` : ':'}`,
    '',
    ...(schema.$ref ? [] : table(schema)),
  ]);
}

function operationPage(method: string, path: string, operation: Operation): string[] {
  const keys = (operation.security ?? []).flatMap((each) => Object.keys(each));
  const success = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const refused = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  return [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${operation.summary}.`,
    '',
    ...(operation.description ? [operation.description, ''] : []),
    keys.length > 0 ? `Key: ${keys.map((key) => `\`${key}\``).join(' or ')}.` : 'No key.',
    '',
    ...(operation.parameters ?? []).map(
      ({ name, in: location, required, description, schema }) =>
        `- \`${name}\` (${location}${required ? ', required' : ''}, ${kindOf(schema)}): ${description ?? schema.description ?? ''}`,
    ),
    ...(operation.parameters ? [''] : []),
    ...contents('Request', operation.requestBody?.content),
    ...success.flatMap(([status, { description, content }]) => [
      `**${status}** ${description}.`,
      '',
      ...contents('Answer', content),
    ]),
    '| refused with | reasons |',
    '|---|---|',
    ...refused.map(
      ([status, { description }]) => `| ${status} | ${cell(description.replace('Refused: ', ''))} |`,
    ),
    '',
  ];
}

/** The page as text, from the same table that the engine serves under `/openapi.json`. */
export function httpApiPage(): string {
  const { info, tags, paths, components } = describeService({
    pathWord: 'svc',
    version: '',
    limits: defaultLimits,
  }) as unknown as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const lines = [
    '# The built-in engine over HTTP',
    '',
    '<!-- Made by `npm run docs` from packages/engine/src/http/openapi/openapi.ts. Change that, not this page. -->',
    '',
    'Settings → Engine on this machine opens it to other programs on this machine and shows its address and keys. It',
    'describes itself at `/openapi.json`; this page says the same. `svc` stands for the path word.',
    '',
    `The access token goes into \`Authorization: Bearer …\`, the API key into \`auth_ak\`.`,
    '',
    info.description,
    '',
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      '',
      `${description}.`,
      '',
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .flatMap(({ method, path, operation }) => operationPage(method, path, operation)),
    ]),
    '## Shapes',
    '',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name}`, '', ...table(schema)]),
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
