// The MQTT worker: publishes the status to a broker. Without the library it runs and does nothing.
import type { MqttSettings } from '../../shared/protocol/mqtt.js';
import { mqttContract } from '../../shared/protocol/mqtt.js';
import { hostname } from 'node:os';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { loadClient } from './client.js';
import type { BrokerTarget } from './connection.js';
import { BrokerConnection } from './connection.js';
import { clientId } from './identity.js';
import { MqttPublisher } from './publisher.js';
import { offline, otherHost, topicsOf } from './topics.js';
import { systemAuthorities } from '../../shared/runtime/system-authorities.js';

/** Any client of the broker can name hosts. */
const mostTold = 3;

runWorker(mqttContract, async (settings, context) => {
  const { clock, log } = context;
  const hostName = hostname();
  let { topicPrefix } = settings;
  /** By topic prefix and host. */
  const told = new Set<string>();
  const client = await loadClient();
  if (!client.ok)
    log.warning(
      `the MQTT client library (npm package async-mqtt) cannot be loaded: ${client.reason}. Nothing is published; monitoring and shutdown are not affected. Reinstall the packages (npm ci) and restart the daemon.`,
    );
  const setTimer = (ms: number, then: () => void): (() => void) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  };
  const connection = client.ok
    ? new BrokerConnection({
        connect: client.connect,
        authorities: systemAuthorities,
        setTimer,
        log,
        changed: (connected) => {
          context.emit('broker.connected', { connected });
          publisher.connection(connected);
        },
        heard: (topic, payload) => {
          const host = otherHost(topicsOf({ topicPrefix }, hostName), topic, payload);
          if (host === null || told.has(topic) || told.size >= mostTold) return;
          told.add(topic);
          log.warning(
            `the daemon of ${host} publishes at this broker under ${topicPrefix} too: ${topicPrefix}/status has the UPSes of both in turn. Give each daemon its own mqtt.topic_prefix, unless nothing but Home Assistant reads there (its entities are of one host each).`,
          );
        },
      })
    : undefined;
  const publisher = new MqttPublisher(settings, {
    hostName,
    clock,
    setTimer,
    publish: (message) => connection?.publish(message) ?? Promise.resolve(false),
  });
  connection?.configure(targetOf(settings, hostName));
  return {
    requests: {
      'status.publish': (change) =>
        Promise.resolve(
          publisher.apply(change)
            ? { ok: true, value: {} }
            : {
                ok: false,
                error: { code: 'STATUS_INCOMPLETE', message: 'this copy lacks a row: publish all rows' },
              },
        ),
    },
    reconfigure: (changed) => {
      ({ topicPrefix } = changed);
      connection?.configure(targetOf(changed, hostName));
      publisher.configure(changed);
    },
    drain: async () => connection?.close(),
  };
});

function targetOf(settings: MqttSettings, hostName: string): BrokerTarget | undefined {
  const { broker, topicPrefix, availability } = settings;
  const topics = topicsOf(settings, hostName);
  if (broker === null) return undefined;
  const will = availability ? { topic: topics.availability, payload: offline } : null;
  return { broker, clientId: clientId(topicPrefix), will, look: topics.allAvailability };
}
