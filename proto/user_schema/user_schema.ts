/**
 * Reads a server's own stream of face frames with the user's `.proto` and a mapping of its fields. For main
 * (Node): it includes protobufjs's parser, which the renderer does not need.
 *
 * Reflection serves only to understand the `.proto`. A walk over the mapped fields reads the bytes. The
 * decoders of protobufjs are code generated from the user's text at run time, and would build objects for
 * unmapped fields.
 */
import protobuf from 'protobufjs';
import { UserSchemaError, type UserSchemaMapping } from './user_schema_mapping.ts';
import {
  listNames,
  type MessagePlan,
  newPlan,
  plainName,
  planFrames,
  planValue,
} from './user_schema_plan.ts';

/** A `.proto` and its mapping, understood; any number of streams can be decoded with it. */
export interface UserSchema {
  readonly mapping: UserSchemaMapping;
  /** Full name of the message that the body consists of, without a leading dot. */
  readonly messageName: string;
  readonly plan: MessagePlan;
}

/** Longest `.proto` that is read, characters. */
const maxProtoLength = 256 * 1024;

/**
 * Most fields and enum values that are read: protobufjs's time grows with the square of a message's fields.
 */
const maxProtoFields = 2000;

/**
 * Understands a `.proto` text and a mapping of its fields.
 *
 * Only the imports that protobufjs brings (`google/protobuf/…`) can be followed; nothing is read from
 * disk or network.
 *
 * @throws {UserSchemaError} naming the entry of the mapping that is at fault
 */
export function loadUserSchema(protoText: string, mapping: UserSchemaMapping): UserSchema {
  const root = parseProto(protoText);
  const message = findMessage(root, mapping.message);
  const plan = newPlan();
  const frame = mapping.frames === '' ? { message, plan } : planFrames(message, plan, mapping.frames);
  if (mapping.weights === '' && !mapping.vertices) {
    throw new UserSchemaError('mapping_incomplete', 'weights', 'Name the field that holds the weights.');
  }
  if (mapping.weights !== '' && mapping.names === '' && mapping.channels.length === 0) {
    throw new UserSchemaError(
      'mapping_incomplete',
      'names',
      'Name the field that holds the channel names, or list the channels by position.',
    );
  }
  if (!(mapping.frameRate > 0 && Number.isFinite(mapping.frameRate))) {
    throw new UserSchemaError('mapping_incomplete', 'frameRate', 'Give the frames per second, above 0.');
  }
  planValue(frame.message, frame.plan, 'weights', mapping.weights);
  planValue(frame.message, frame.plan, 'vertices', mapping.vertices);
  planValue(frame.message, frame.plan, 'timeCode', mapping.timeCode);
  planValue(message, plan, 'names', mapping.names);
  planValue(message, plan, 'triangles', mapping.triangles);
  planValue(message, plan, 'errorMessage', mapping.errorMessage);
  return { mapping, messageName: plainName(message), plan };
}

function parseProto(text: string): protobuf.Root {
  if (text.length > maxProtoLength) {
    throw new UserSchemaError(
      'proto_too_large',
      'proto',
      `The .proto has ${text.length} characters; ${maxProtoLength} are read.`,
    );
  }
  const fields = text.match(/=\s*\d/g)?.length ?? 0;
  if (fields > maxProtoFields) {
    throw new UserSchemaError(
      'proto_too_large',
      'proto',
      `The .proto has ${fields} fields; ${maxProtoFields} are read. Leave out the messages that the stream doesn't use.`,
    );
  }
  // protobufjs keeps names as keys of plain objects. It guards against this name too, but don't rely on it.
  if (/\b__proto__\b/.test(text)) {
    throw new UserSchemaError('proto_unreadable', 'proto', 'The .proto uses the name __proto__. Rename it.');
  }
  const root = new protobuf.Root();
  let parsed: protobuf.IParserResult;
  try {
    parsed = protobuf.parse(text, root, { keepCase: true });
  } catch (error) {
    throw new UserSchemaError('proto_unreadable', 'proto', `The .proto can't be read: ${reasonOf(error)}.`);
  }
  for (const name of [...(parsed.imports ?? []), ...(parsed.weakImports ?? [])]) {
    const bundled = Object.hasOwn(protobuf.common, name) ? protobuf.common.get(name)?.nested : undefined;
    if (!bundled) {
      throw new UserSchemaError(
        'import_missing',
        'proto',
        `The .proto imports "${name}", which isn't here. Paste what it needs of that file into it and remove the import.`,
      );
    }
    root.addJSON(bundled);
  }
  return root;
}

function findMessage(root: protobuf.Root, name: string): protobuf.Type {
  const wanted = name.replace(/^\./, '');
  const all = messagesWithin(root);
  const exact = all.find((type) => plainName(type) === wanted);
  if (exact) return exact;
  const bySuffix = wanted === '' ? all : all.filter((type) => plainName(type).endsWith(`.${wanted}`));
  if (bySuffix.length === 1 && wanted !== '') return bySuffix[0]!;
  const listed = listNames((bySuffix.length > 0 ? bySuffix : all).map(plainName));
  if (bySuffix.length > 1 && wanted !== '') {
    throw new UserSchemaError(
      'message_ambiguous',
      'message',
      `Several messages are called ${wanted}: ${listed}.`,
    );
  }
  throw new UserSchemaError(
    'message_missing',
    'message',
    wanted === ''
      ? `Name the message that the server streams. The .proto has ${listed}.`
      : `The .proto has no message ${wanted}. It has ${listed}.`,
  );
}

function messagesWithin(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((nested) => {
    const inner = nested instanceof protobuf.Namespace ? messagesWithin(nested) : [];
    return nested instanceof protobuf.Type ? [nested, ...inner] : inner;
  });
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\.$/, '').slice(0, 300);
}
