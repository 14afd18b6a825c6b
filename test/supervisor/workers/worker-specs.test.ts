import { expect } from 'chai';
import { remoteSpec } from '../../../supervisor/workers/remote.js';
import { configurationFrom, office } from '../config/loading.js';

describe('the list of workers', () => {
  it('restarts the worker that shuts servers down within seconds, however often it dies, because servers have deadlines', () => {
    const spec = remoteSpec(configurationFrom(office), {
      'servers.known': () => undefined,
      'target.off': () => undefined,
      'guests.found': () => undefined,
    });
    expect(spec.maxBackoffMs).to.be.at.most(2_000);
  });
});
