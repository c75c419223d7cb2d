import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { UserSchemaMapping } from '@likeness/proto/user_schema/user_schema_mapping.ts';
import type { SecretName } from '../interface_names.ts';

/** A server: its addresses, its limits, and access to its secrets. */
export interface Endpoint {
  profileId: string;
  profileName: string;
  /** The engine on this machine, which the studio starts itself. */
  builtIn?: boolean;
  /** Group A (audio to face, image tasks): base URL before `/v1`. Empty: not used. */
  groupAUrl: string;
  /** Group B (models): base URL before `/open-api`. Empty: not used. */
  groupBUrl: string;
  /** The word in the paths that names the product (`svc`). */
  pathWord: string;
  /** Group B's paths begin with `//open-api`. */
  doubledSlash: boolean;
  /** The schema of the face stream, and the words that mark the parts of a live voice. */
  stream: {
    schema: 'likeness' | 'custom';
    /** Text of a `.proto`, for `custom`. */
    proto: string;
    mapping: UserSchemaMapping;
    words: { first: string; middle: string; last: string };
  };
  /** PEM certificates trusted besides the system's. */
  customCa: string;
  /** PEM client certificate; its private key is the secret `clientKey`. */
  clientCertificate: string;
  /** `http://host:port`; empty: none. Its password is the secret `proxyPassword`. */
  proxyUrl: string;
  proxyUser: string;
  /** Maximum concurrent requests. */
  concurrency: number;
  /** 0: no limit. */
  requestsPerMinute: number;
  /** Called for every call; the result is never stored or logged. Undefined: not set. */
  secret(name: SecretName): Promise<string | undefined>;
}

/** One operation's address: the parts that undici needs, and the part to show to a person. */
export interface Address {
  /** `https://api.example.com:8443` */
  origin: string;
  /** Path as it goes on the wire. */
  path: string;
  /** Host and port, for messages. */
  host: string;
}

/** POST, Group A. */
export function audioToFaceAddress(endpoint: Endpoint): Address {
  return within(endpoint, 'groupAUrl', '/v1/audio-to-face/mesh');
}

/** POST, Group A. */
export function submitImageAddress(endpoint: Endpoint): Address {
  return within(endpoint, 'groupAUrl', `/v1/${encodeURIComponent(endpoint.pathWord)}-3d/sq`);
}

/** POST, Group B. */
export function generateModelAddress(endpoint: Endpoint): Address {
  return within(endpoint, 'groupBUrl', `${groupBPath(endpoint)}/sdk/model/generate`);
}

/** GET, Group B. @throws Failure `invalid_input` for an id that can't be part of a path. */
export function getModelAddress(endpoint: Endpoint, modelId: string): Address {
  // '.' and '..' survive encoding, and a server or proxy would resolve them.
  if (modelId === '' || /^\.+$/.test(modelId) || modelId.length > 1024) {
    throw new Failure('invalid_input', t('upstream.no_model_id', { modelId: modelId.slice(0, 40) }), {
      field: 'modelId',
      hint: t('upstream.use_given_id'),
    });
  }
  return within(
    endpoint,
    'groupBUrl',
    `${groupBPath(endpoint)}/sdk/model/get/${encodeURIComponent(modelId)}`,
  );
}

/** GET, Group B; extension `model-events`. */
export function modelEventsAddress(endpoint: Endpoint): Address {
  return within(endpoint, 'groupBUrl', '/v1/models/events');
}

function groupBPath(endpoint: Endpoint): string {
  // The published form has the slash before `open-api` doubled.
  return `${endpoint.doubledSlash ? '//' : '/'}open-api/${encodeURIComponent(endpoint.pathWord)}`;
}

function within(endpoint: Endpoint, group: 'groupAUrl' | 'groupBUrl', path: string): Address {
  const label = group === 'groupAUrl' ? 'A' : 'B';
  const text = endpoint[group].trim();
  const field = group;
  if (text === '') {
    throw new Failure(
      'invalid_input',
      t('upstream.no_address', { profileName: endpoint.profileName, label }),
      {
        field,
        hint: t('upstream.enter_address', { label }),
      },
    );
  }
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.search || url.hash) {
    throw new Failure(
      'invalid_input',
      t('upstream.not_plain_address', { label, profileName: endpoint.profileName }),
      { field, hint: t('upstream.address_only') },
    );
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') + path, host: url.host };
}

/** The group that an operation's credentials and address belong to. */
export type Group = 'A' | 'B';

/** The secret that a group's calls carry. */
export const groupSecret = { A: 'accessToken', B: 'apiKey' } as const satisfies Record<Group, SecretName>;

/** The name of a group's secret in a message. */
export const groupSecretName = { A: t('term.access_token'), B: t('term.api_key') } as const;

/**
 * The header that carries a group's secret: `authorization: Bearer …` for A, `auth_ak` for B. `interface.md`
 * does not show B2's headers; it gets `auth_ak` like B1.
 */
export function credentialHeader(group: Group, secret: string): [name: string, value: string] {
  return group === 'A' ? ['authorization', `Bearer ${secret}`] : ['auth_ak', secret];
}
