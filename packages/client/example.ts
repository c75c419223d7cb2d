import { setTimeout } from 'node:timers/promises';
import { createUpstreamClient, newEndpoint } from '@likeness/client';
import { inEnglish } from '@likeness/messages';

const { SERVER_URL = 'http://127.0.0.1:8787', SERVER_KEY } = process.env;
const secret = async (name: string) => (name === 'apiKey' ? SERVER_KEY : undefined);
const client = createUpstreamClient({
  endpoint: { ...newEndpoint, profileId: '1', profileName: 'Example', groupBUrl: SERVER_URL, secret },
});
const { modelId } = await client.generateModel({ file: { path: 'portrait.jpg' }, sex: 'female' });
let model = await client.getModel(modelId);
for (; model.state === 'processing'; model = await client.getModel(modelId)) await setTimeout(1000);
if (model.state === 'failed') throw new Error(inEnglish(model.failMessage));

const { bytes } = await client.download(model.downloadLink, 'head.glb');
console.log(`head.glb: ${bytes} bytes`);
await client.close();
