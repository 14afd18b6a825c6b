// The entry of the API process: HTTP on TCP (if enabled) and on the control socket. It forwards requests; it has no policy.
import { apiContract } from '../../shared/protocol/api.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { startApi } from './start.js';

runWorker(apiContract, (settings, context) => startApi(settings, context));
