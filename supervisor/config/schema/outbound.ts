// [mqtt], [heartbeat] and [notifications].
import * as t from 'io-ts';
import { oneOf } from '../../../shared/domain/units.js';
import { optional, rows } from './key.js';
import { notificationServiceKeys, suppressible } from './notification-service.js';
import { secretSource, secretSources } from './secret.js';
import { count, line, listUpTo, seconds, textThat } from './values.js';

const topicPrefix = textThat(
  'an MQTT topic without "+", "#", a leading "$" or empty levels',
  (text) => /^(?!\$)[^+#/\s]+(?:\/[^+#/\s]+)*$/.test(text) && line(200).is(text),
);

export const heartbeatKeys = {
  url: optional(secretSource, null),
  every: optional(seconds(10, 86_400), 60),
  when: optional(oneOf('alive', 'ready'), 'alive'),
};

export const mqttKeys = {
  enabled: optional(t.boolean, false),
  broker: optional(secretSource, 'mqtt://127.0.0.1:1883'),
  username: optional(line(256), ''),
  password: optional(secretSource, null),
  topic_prefix: optional(topicPrefix, 'svc'),
  publish_interval: optional(seconds(1, 86_400), 10),
  discovery: optional(t.boolean, false),
  availability: optional(t.boolean, false),
};

export const notificationKeys = {
  urls: optional(secretSources, []),
  title: optional(line(200), ''),
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
