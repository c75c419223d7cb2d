import protobuf from 'protobufjs';
import { UserSchemaError, type UserSchemaMapping } from './user_schema_mapping.ts';

export type Target = 'weights' | 'vertices' | 'timeCode' | 'names' | 'triangles' | 'errorMessage';

/** Actions for the fields of one message type; other fields are skipped. */
export interface MessagePlan {
  readonly fields: Map<number, FieldPlan>;
  /** Fields that stand once in the message: an absent one means its default, which the wire leaves out. */
  readonly singular: ValuePlan[];
}

type FieldPlan =
  | ValuePlan
  | { readonly kind: 'message'; readonly isFrame: boolean; readonly plan: MessagePlan };

export interface ValuePlan {
  readonly kind: 'value';
  readonly target: Target;
  readonly scalar: Scalar;
  readonly repeated: boolean;
}

interface Scalar {
  readonly wireType: 0 | 1 | 2 | 5;
  readonly read: (reader: protobuf.Reader) => number | string;
}

const scalars: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['double', { wireType: 1, read: (reader) => reader.double() }],
  ['float', { wireType: 5, read: (reader) => reader.float() }],
  ['int32', { wireType: 0, read: (reader) => reader.int32() }],
  ['uint32', { wireType: 0, read: (reader) => reader.uint32() }],
  ['sint32', { wireType: 0, read: (reader) => reader.sint32() }],
  ['fixed32', { wireType: 5, read: (reader) => reader.fixed32() }],
  ['sfixed32', { wireType: 5, read: (reader) => reader.sfixed32() }],
  ['int64', { wireType: 0, read: (reader) => Number(reader.int64()) }],
  ['uint64', { wireType: 0, read: (reader) => Number(reader.uint64()) }],
  ['sint64', { wireType: 0, read: (reader) => Number(reader.sint64()) }],
  ['fixed64', { wireType: 1, read: (reader) => Number(reader.fixed64()) }],
  ['sfixed64', { wireType: 1, read: (reader) => Number(reader.sfixed64()) }],
  ['string', { wireType: 2, read: (reader) => reader.stringVerify() }],
]);

const typesFor: Readonly<Record<Target, readonly string[]>> = {
  weights: ['float', 'double'],
  vertices: ['float', 'double'],
  timeCode: [...scalars.keys()].filter((type) => type !== 'string'),
  names: ['string'],
  triangles: ['uint32', 'int32', 'fixed32'],
  errorMessage: ['string'],
};

/** One step of a path: a field of a message, or the key or value of a map's entry. */
interface PathField {
  readonly id: number;
  readonly type: string;
  readonly repeated: boolean;
  readonly enters: PathMessage | undefined;
}

/** A message as paths see it: a type of the `.proto`, or the entry that a map is on the wire. */
type PathMessage = protobuf.Type | protobuf.MapField;

export function newPlan(): MessagePlan {
  return { fields: new Map(), singular: [] };
}

export function planFrames(
  message: protobuf.Type,
  plan: MessagePlan,
  path: string,
): { message: PathMessage; plan: MessagePlan } {
  const steps = path.split('.');
  const reached = descend(message, plan, 'frames', steps.slice(0, -1));
  const last = steps.at(-1)!;
  const field = fieldOf(reached.message, last, 'frames');
  if (!field.enters) {
    throw new UserSchemaError(
      'field_wrong_type',
      'frames',
      `${pathName(reached.message)}.${last} is ${article(field.type)}, not a message that could be a frame.`,
    );
  }
  const framePlan = newPlan();
  reached.plan.fields.set(field.id, { kind: 'message', isFrame: true, plan: framePlan });
  return { message: field.enters, plan: framePlan };
}

export function planValue(
  message: PathMessage,
  plan: MessagePlan,
  target: Target,
  path: string | undefined,
): void {
  if (!path) return;
  const steps = path.split('.');
  const last = steps.at(-1)!;
  const reached = descend(message, plan, target, steps.slice(0, -1));
  const field = fieldOf(reached.message, last, target);
  const scalar = typesFor[target].includes(field.type) ? scalars.get(field.type) : undefined;
  if (!scalar || field.enters) {
    throw new UserSchemaError(
      'field_wrong_type',
      target,
      `${pathName(reached.message)}.${last} is ${article(field.type)}; for ${target} it must be ${typesFor[target].join(' or ')}.`,
    );
  }
  if (reached.plan.fields.has(field.id)) {
    throw new UserSchemaError(
      'field_wrong_type',
      target,
      `${pathName(reached.message)}.${last} is mapped twice; ${target} needs a field of its own.`,
    );
  }
  const value: ValuePlan = { kind: 'value', target, scalar, repeated: field.repeated };
  reached.plan.fields.set(field.id, value);
  if (!field.repeated) reached.plan.singular.push(value);
}

/** Follows `steps` into nested messages, and lets the plan follow too. */
function descend(
  start: PathMessage,
  startPlan: MessagePlan,
  entry: keyof UserSchemaMapping,
  steps: readonly string[],
): { message: PathMessage; plan: MessagePlan } {
  let message = start;
  let plan = startPlan;
  for (const step of steps) {
    const field = fieldOf(message, step, entry);
    if (!field.enters) {
      throw new UserSchemaError(
        'field_wrong_type',
        entry,
        `${pathName(message)}.${step} is ${article(field.type)}; the path can't go on through it.`,
      );
    }
    const known = plan.fields.get(field.id);
    if (known?.kind === 'message') {
      plan = known.plan;
    } else {
      const child: FieldPlan = { kind: 'message', isFrame: false, plan: newPlan() };
      plan.fields.set(field.id, child);
      plan = child.plan;
    }
    message = field.enters;
  }
  return { message, plan };
}

function fieldOf(message: PathMessage, name: string, entry: keyof UserSchemaMapping): PathField {
  if (message instanceof protobuf.MapField) return entryFieldOf(message, name, entry);
  const field = message.fieldsArray.find((candidate) => candidate.name === name);
  if (!field) {
    const listed = listNames(message.fieldsArray.map((candidate) => candidate.name));
    throw new UserSchemaError(
      'field_missing',
      entry,
      `The message ${pathName(message)} has no field ${name === '' ? 'without a name' : name}. It has ${listed}.`,
    );
  }
  if (field instanceof protobuf.MapField) {
    return { id: field.id, type: 'a map', repeated: true, enters: field };
  }
  return {
    id: field.id,
    type: field.type,
    repeated: field.repeated,
    enters: messageOf(message, field.type, entry),
  };
}

/** On the wire a map is a repeated message with its key as field 1 and its value as field 2. */
function entryFieldOf(map: protobuf.MapField, name: string, entry: keyof UserSchemaMapping): PathField {
  if (name === 'key') return { id: 1, type: map.keyType, repeated: false, enters: undefined };
  if (name === 'value') {
    return { id: 2, type: map.type, repeated: false, enters: messageOf(map.parent!, map.type, entry) };
  }
  throw new UserSchemaError(
    'field_missing',
    entry,
    `${pathName(map)} is a map: go on with ${map.name}.key or ${map.name}.value, not ${map.name}.${name}.`,
  );
}

/** The message that a field's type names; `undefined` for a scalar or an enum. */
function messageOf(
  scope: protobuf.NamespaceBase,
  type: string,
  entry: keyof UserSchemaMapping,
): protobuf.Type | undefined {
  if (Object.hasOwn(protobuf.types.basic, type)) return undefined;
  const found = scope.lookup(type, [protobuf.Type, protobuf.Enum]);
  if (!found) {
    throw new UserSchemaError(
      'message_missing',
      entry,
      `The .proto uses the type ${type}, which it does not define.`,
    );
  }
  return found instanceof protobuf.Type ? found : undefined;
}

export function plainName(object: protobuf.ReflectionObject): string {
  return object.fullName.replace(/^\./, '');
}

function pathName(message: PathMessage): string {
  return message instanceof protobuf.MapField
    ? `${plainName(message.parent!)}.${message.name}`
    : plainName(message);
}

function article(type: string): string {
  if (type === 'a map') return type;
  return Object.hasOwn(protobuf.types.basic, type) ? `of type ${type}` : `a ${type}`;
}

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 12);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  return shown.length > 0 ? shown.join(', ') : 'none';
}
