// The entry of a host process: its main thread relays, its worker threads are the pollers, MQTT and notifications.
import { runHost } from './run.js';

runHost((entry) => new URL(`../${entry}/worker.js`, import.meta.url));
