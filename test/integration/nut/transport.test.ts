import { startRealServer } from './real-server.js';
import { nutTransportSuites } from './transport-suite.js';

nutTransportSuites('real', startRealServer);
