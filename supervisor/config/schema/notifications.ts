// [notifications].
import {
  converted,
  count,
  duration,
  key,
  onOff,
  orNone,
  rows,
  seconds,
} from '../../../shared/domain/base/keys.js';
import { notificationServiceKeys, serviceRules, suppressible } from './notification-service.js';
import { secret, secretSource } from './secret.js';
import { line, listUpTo, textThat } from './values.js';

const mailHostName = textThat(
  'a host name with a domain such as "nas.example.org", or ""',
  (text) => text === '' || (text.length <= 253 && /^[\w-]+(?:\.[\w-]+)+$/.test(text)),
);

export const notificationKeys = {
  urls: secret(key(listUpTo(50, secretSource), []), { ...serviceRules, several: true }),
  title: converted(key(line(200), ''), orNone),
  proxy_private: onOff(false),
  mail_host_name: converted(key(mailHostName, ''), orNone),
  timeout: duration(0.1, 300, 10),
  retry_interval: duration(0.1, 86_400, 5),
  retry_backoff_max: duration(1, 7 * 86_400, 300),
  max_attempts: count(0, 1_000_000, 0),
  max_age_days: count(1, 3650, 30, 'days'),
  max_pending: count(1, 100_000, 10_000),
  retention_days: count(1, 3650, 7, 'days'),
  voltage_hysteresis_seconds: seconds(0, 3600, 30),
  suppress: key(listUpTo(200, suppressible), []),
  services: rows(notificationServiceKeys, 50),
};
