// [mqtt].
import { duration, key, onOff, shown } from '../../../shared/domain/base/keys.js';
import { secret, secretSource } from './secret.js';
import { brokerFault, credentialsIn } from './service-url.js';
import { line, textThat } from './values.js';

const topicPrefix = textThat(
  'an MQTT topic without "+", "#", a leading "$" or empty levels',
  (text) => /^(?!\$)[^+#/\s]+(?:\/[^+#/\s]+)*$/.test(text) && line(200).is(text),
);

/** An address without credentials is none. */
function withCredentials(url: string): readonly string[] {
  const credentials = credentialsIn(url);
  return credentials.length === 0 ? [] : [url, ...credentials];
}

export const mqttKeys = {
  enabled: shown(onOff(false)),
  broker: secret(key(secretSource, 'mqtt://127.0.0.1:1883'), {
    faultOf: brokerFault,
    hides: withCredentials,
    evenShort: true,
  }),
  username: key(line(256), ''),
  password: secret(key(secretSource, null)),
  topic_prefix: shown(key(topicPrefix, 'svc')),
  publish_interval: shown(duration(1, 86_400, 10)),
  discovery: onOff(false),
  availability: onOff(false),
};
