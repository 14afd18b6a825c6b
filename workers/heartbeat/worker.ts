// The heartbeat worker: sends one request to the configured address when the supervisor says so. It decides nothing.
import { heartbeatContract, heartbeatFailed } from '../../shared/protocol/heartbeat.js';
import { proxyFor } from '../../shared/runtime/proxy-choice.js';
import { systemAuthorities } from '../../shared/runtime/system-authorities.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { sendTo } from './send.js';

runWorker(heartbeatContract, (initial) => {
  let settings = initial;
  return Promise.resolve({
    requests: {
      'heartbeat.send': async () => {
        // Turned off between the request and its arrival: nothing is missing.
        if (settings.url === null) return { ok: true, value: {} };
        const fault = await sendTo(
          settings.url,
          (await systemAuthorities()) ?? undefined,
          proxyFor(settings.url, settings.proxies),
        );
        return fault === null
          ? { ok: true, value: {} }
          : { ok: false, error: { code: heartbeatFailed, message: fault } };
      },
    },
    reconfigure: (changed) => {
      settings = changed;
    },
    drain: () => Promise.resolve(),
  });
});
