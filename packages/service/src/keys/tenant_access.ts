import type { IncomingMessage } from 'node:http';
import type { Access, Caller, Door } from '@likeness/engine/http/access.ts';
import type { RequiredKey } from '@likeness/engine/http/listener_refusals.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { t } from '@likeness/messages';
import type { KeyRing } from './key_ring.ts';
import type { KeyGroup, Scope, ServiceKey } from './service_key.ts';

/** A caller of the service: a tenant, identified by one of its keys. */
export interface TenantCaller extends Caller {
  readonly owner: string;
  readonly key: ServiceKey;
}

export const isTenant = (caller: Caller | null): caller is TenantCaller => caller !== null && 'key' in caller;

/** The scope that opens each endpoint. Any key of the right group opens the endpoints that aren't listed. */
const scopeOf: Readonly<Record<string, Scope>> = {
  audioToFace: 'speech',
  hearRecording: 'speech',
  forgetRecording: 'speech',
  alignRecording: 'speech',
  faceOfRecording: 'speech',
  submitImage: 'images',
  imageTask: 'images',
  forgetImageTask: 'images',
  generateModel: 'models',
  getModel: 'models',
  deleteModel: 'models',
  modelEvents: 'models',
  checkPhoto: 'models',
  outlinePhoto: 'models',
  cropPhoto: 'models',
  eraseAll: 'models',
  addWebhook: 'models',
  listWebhooks: 'models',
  removeWebhook: 'models',
  usage: 'usage',
  metrics: 'operator',
};

/** Admits requests with a valid key to the endpoints of its group and scopes. */
export function tenantAccess(ring: KeyRing): Access {
  /** Caches the keys of a request, which are needed more than once. */
  const shown = new WeakMap<IncomingMessage, Readonly<Record<KeyGroup, ServiceKey | null>>>();
  const keysOf = (request: IncomingMessage): Readonly<Record<KeyGroup, ServiceKey | null>> => {
    const known = shown.get(request);
    if (known) return known;
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const header = request.headers.auth_ak;
    const found = {
      A: keyOf(ring, bearer, 'A'),
      B: keyOf(ring, typeof header === 'string' ? header : undefined, 'B'),
    };
    shown.set(request, found);
    return found;
  };
  return {
    keysFrom: 'operator',
    knows(request) {
      const { A, B } = keysOf(request);
      return A !== null || B !== null;
    },
    callerOf(request, door) {
      const { A, B } = keysOf(request);
      const key = door.auth === 'A' ? A : door.auth === 'B' ? B : (A ?? B);
      if (!key) return null;
      checkScope(key, door);
      const { tenant, priority } = key;
      const caller: TenantCaller = { name: tenant, owner: tenant, priority, key };
      return caller;
    },
  };
}

function keyOf(ring: KeyRing, secret: string | undefined, group: KeyGroup): ServiceKey | null {
  const key = secret === undefined ? null : ring.find(secret);
  return key?.groups.includes(group) ? key : null;
}

/** @throws {Refusal} 403 `scope_missing` */
function checkScope(key: ServiceKey, { endpoint }: Door & { auth: RequiredKey }): void {
  const scope = scopeOf[endpoint];
  if (scope === undefined || key.scopes.includes(scope)) return;
  throw new Refusal(403, 'scope_missing', t('refusal.scope_missing', { scope }));
}
