import { expect } from 'chai';
import { skipFor } from '../../fixtures/skip.js';
import { NameServer, nameServerProblem } from '../../fixtures/name-server.js';
import { journalRecords, recordName, SequenceSite } from '../../fixtures/sequence-daemon.js';
import { hasLength, includes, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('a sequence with servers known by name', () => {
  it('sends its commands even if the name server stopped answering after the start', async function () {
    skipFor(this, nameServerProblem());
    const names = await NameServer.start();
    const directory = temporaryFolder();
    const site = await SequenceSite.start({ hostOf: (name) => `${name}.rack.test` });
    const daemon = await site.daemon(directory, names.prefix);
    try {
      await until(() => [...names.answered].sort(), hasLength(2));
      names.fallSilent();
      site.trigger();
      await until(() => journalRecords(directory).map(recordName), includes('over'));
      expect(site.commanded()).to.deep.equal({ one: 1, two: 1 });
      expect(daemon.powerOffs()).to.have.length(1);
    } finally {
      await daemon.stop();
      await site.stop();
      await names.stop();
    }
  });
});
