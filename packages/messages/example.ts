import { t, translate } from '@likeness/messages';

// A message is a key and its values, so that it can be stored now and translated when it is shown.
const message = t('upstream.no_key', { profileName: 'Studio', name: 'API key' });
console.log(JSON.stringify(message));

console.log(translate(message, 'en'));
console.log(translate(message, 'zh-CN'));
