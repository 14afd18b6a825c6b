// The settings of each worker: settings that its codec rejects would kill it at every start.
import { expect } from 'chai';
import type * as t from 'io-ts';
import { ApiSlice } from '../../../shared/protocol/api.js';
import { LogSlice } from '../../../shared/protocol/log.js';
import { PollerSlice } from '../../../shared/protocol/poller.js';
import { RemoteSlice } from '../../../shared/protocol/remote.js';
import { apiSlice } from '../../../supervisor/workers/api.js';
import { logSlice } from '../../../supervisor/workers/log.js';
import { pollerSlice } from '../../../supervisor/workers/poller.js';
import { remoteSlice } from '../../../supervisor/workers/remote.js';
import { configurationFrom, withServer } from '../config/loading.js';

const secret = 'x'.repeat(4096);
const path = `/${'d'.repeat(4000)}`;
const file = `${withServer}ssh_key_path = "${path}"
[ups.ups_output]
off_after_shutdown = true
off_delay = 90.5
[nut_control]
enabled = true
username = "admin"
password = "${secret}"
[api]
enabled = true
[api.auth]
enabled = true
session_ttl = 31536000
[logging]
file = "${path}"
[logging.syslog]
address = "${path}"
`;

describe('the settings of a worker', () => {
  const configuration = configurationFrom(file);
  const [ups] = configuration.ups;
  if (ups === undefined) throw new Error('no UPS');
  const slices: readonly (readonly [string, t.Mixed, unknown])[] = [
    ['api', ApiSlice, apiSlice(configuration, '/run/control.sock')],
    ['log', LogSlice, logSlice(configuration)],
    ['poller', PollerSlice, pollerSlice(configuration, ups)],
    ['remote', RemoteSlice, remoteSlice(configuration)],
  ];
  for (const [worker, codec, slice] of slices)
    it(`of the ${worker} are accepted by it, also at the limits of the configuration`, () => {
      expect(codec.is(slice), JSON.stringify(codec.decode(slice))?.slice(0, 300)).to.equal(true);
    });
});
