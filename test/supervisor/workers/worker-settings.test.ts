// The settings of the workers that need the most of the configuration: settings that its codec rejects would kill it at every start.
import { expect } from 'chai';
import type * as t from 'io-ts';
import { ApiSettings } from '../../../shared/protocol/api.js';
import { LogSettings } from '../../../shared/protocol/log.js';
import { PollerSettings } from '../../../shared/protocol/poller.js';
import { RemoteSettings } from '../../../shared/protocol/remote.js';
import { apiSettings } from '../../../supervisor/workers/api.js';
import { logSettings } from '../../../supervisor/workers/log.js';
import { pollerSettings } from '../../../supervisor/workers/poller.js';
import { remoteSettings } from '../../../supervisor/workers/remote.js';
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
  const samples: readonly (readonly [string, t.Mixed, unknown])[] = [
    ['api', ApiSettings, apiSettings(configuration, '/run/control.sock')],
    ['log', LogSettings, logSettings(configuration)],
    ['poller', PollerSettings, pollerSettings(configuration, ups)],
    ['remote', RemoteSettings, remoteSettings(configuration)],
  ];
  for (const [worker, codec, settings] of samples)
    it(`of the ${worker} are accepted by it, also at the limits of the configuration`, () => {
      expect(codec.is(settings), JSON.stringify(codec.decode(settings))?.slice(0, 300)).to.equal(true);
    });
});
