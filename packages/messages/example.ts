import { inWords, say } from '@likeness/messages';

// A message is a key and its values, so that it can be stored now and translated when it is shown.
const message = say('upstream.no_key', { profileName: 'Studio', name: 'API key' });
console.log(JSON.stringify(message));

console.log(inWords(message, 'en'));
console.log(inWords(message, 'zh-CN'));
