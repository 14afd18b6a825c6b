// The MQTT worker: publishes the status to a broker. Without the library it runs and does nothing.
import type { MqttSettings } from '../../shared/protocol/mqtt.js';
import { mqttContract } from '../../shared/protocol/mqtt.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { availabilityTopic, offline } from './availability.js';
import { loadClient } from './client.js';
import type { Target } from './connection.js';
import { Connection } from './connection.js';
import { clientId } from './identity.js';
import { MqttPublisher } from './publisher.js';
import { systemAuthorities } from '../../shared/runtime/system-authorities.js';

runWorker(mqttContract, async (settings, context) => {
  const { clock, log } = context;
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
    ? new Connection({
        connect: client.connect,
        authorities: systemAuthorities,
        setTimer,
        log,
        changed: (connected) => {
          context.emit('broker.connected', { connected });
          publisher.connection(connected);
        },
      })
    : undefined;
  const publisher = new MqttPublisher(settings, {
    clock,
    setTimer,
    publish: (message) => connection?.publish(message) ?? Promise.resolve(false),
  });
  connection?.configure(targetOf(settings));
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
      connection?.configure(targetOf(changed));
      publisher.configure(changed);
    },
    drain: async () => connection?.close(),
  };
});

function targetOf(settings: MqttSettings): Target | undefined {
  const { broker, topicPrefix, availability } = settings;
  if (broker === null) return undefined;
  const will = availability ? { topic: availabilityTopic(settings), payload: offline } : null;
  return { broker, clientId: clientId(topicPrefix), will };
}
