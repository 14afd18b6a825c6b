// [heartbeat].
import { duration, key, shown, word } from '../../../shared/domain/base/keys.js';
import { secret, secretSource } from './secret.js';
import { heartbeatFault, secretsOfService } from './service-url.js';

export const heartbeatKeys = {
  url: secret(key(secretSource, null), {
    faultOf: heartbeatFault,
    hides: (url) => [url, ...secretsOfService(url)],
  }),
  every: shown(duration(10, 86_400, 60)),
  when: shown(word(['alive', 'ready'], 'alive')),
};
