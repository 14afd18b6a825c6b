// The entry of a host process: its main thread relays, its worker threads are the pollers, MQTT and notifications.
import { runHost } from './run.js';

runHost({
  poller: new URL('../poller/worker.js', import.meta.url),
  mqtt: new URL('../mqtt/worker.js', import.meta.url),
  notify: new URL('../notify/worker.js', import.meta.url),
});
