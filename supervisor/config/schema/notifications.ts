// [notifications].
import * as t from 'io-ts';
import { optional, rows } from './key.js';
import { notificationServiceKeys, suppressible } from './notification-service.js';
import { secretSources } from './secret.js';
import { count, line, listUpTo, seconds, textThat } from './values.js';

const mailHostName = textThat(
  'a host name with a domain such as "nas.example.org", or ""',
  (text) => text === '' || (text.length <= 253 && /^[\w-]+(?:\.[\w-]+)+$/.test(text)),
);

export const notificationKeys = {
  urls: optional(secretSources, []),
  title: optional(line(200), ''),
  proxy_private: optional(t.boolean, false),
  mail_host_name: optional(mailHostName, ''),
  timeout: optional(seconds(0.1, 300), 10),
  retry_interval: optional(seconds(0.1, 86_400), 5),
  retry_backoff_max: optional(seconds(1, 7 * 86_400), 300),
  max_attempts: optional(count(0, 1_000_000), 0),
  max_age_days: optional(count(1, 3650, 'days'), 30),
  max_pending: optional(count(1, 100_000), 10_000),
  retention_days: optional(count(1, 3650, 'days'), 7),
  voltage_hysteresis_seconds: optional(seconds(0, 3600), 30),
  suppress: optional(listUpTo(200, suppressible), []),
  services: rows(notificationServiceKeys, 50),
};
