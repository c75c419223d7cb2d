/**
 * `node scripts/sign-updates.ts dist`: signs what electron-builder announced in `latest*.yml` for this system with the
 * Ed25519 key in UPDATE_SIGNING_KEY (PEM), and writes it beside as the studio asks for it (`linux-x64.yml`
 * and `.sig`). UPDATE_PUBLIC_KEY is what the build carries: a signature that it would not take is not
 * written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnnouncement } from '../main/shell/electron/updates/signed_feed.ts';
import {
  feedName,
  isSigned,
  publicKeyFrom,
  signFeed,
} from '../main/shell/electron/updates/update_signature.ts';

const [folder = 'dist'] = process.argv.slice(2);
const { UPDATE_SIGNING_KEY: privateKey = '', UPDATE_PUBLIC_KEY: publicKey = '' } = process.env;
const announced =
  { win32: 'latest.yml', darwin: 'latest-mac.yml' }[process.platform as string] ?? 'latest-linux.yml';

const name = feedName(process.platform, process.arch);
const text = readFileSync(join(folder, announced), 'utf8');
const { version, files } = readAnnouncement(text, name);
const signature = signFeed(name, text, privateKey);
const key = publicKeyFrom(publicKey);
if (!key || !isSigned(name, text, signature, key)) {
  throw new Error('UPDATE_SIGNING_KEY does not belong to UPDATE_PUBLIC_KEY, which the build carries.');
}
writeFileSync(join(folder, name), text);
writeFileSync(join(folder, `${name}.sig`), `${signature}\n`);
console.log(`${name}: version ${version}, ${files.map(({ url }) => url).join(', ')}`);
