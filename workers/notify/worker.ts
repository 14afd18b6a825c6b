// The notify worker: delivers messages through services. It does not decide which events get a message.
import { lookup } from 'node:dns';
import { hostname } from 'node:os';
import { notifyContract } from '../../shared/protocol/notify.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { Dispatcher } from './dispatcher.js';
import { ServiceAddresses } from './services/addresses.js';

runWorker(notifyContract, (settings, context) => {
  const { clock, log } = context;
  const addresses = new ServiceAddresses((host, done) => lookup(host, { all: true }, done));
  const dispatcher = new Dispatcher(settings, {
    clock,
    log,
    addresses,
    random: () => Math.random(),
    setTimer: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    network: { lookup: addresses.lookup, hostName: hostname() },
    report: (report) => context.emit('deliveries.changed', report),
  });
  return Promise.resolve({
    requests: {
      'notifications.take': ({ tasks }) => {
        dispatcher.take(tasks);
        return Promise.resolve({ ok: true, value: {} });
      },
      'services.test': async () => ({ ok: true, value: { services: [...(await dispatcher.test())] } }),
    },
    reconfigure: (next) => dispatcher.reconfigure(next),
    drain: (deadlineMs) => dispatcher.drain(deadlineMs),
  });
});
