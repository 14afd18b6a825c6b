import { expect } from 'chai';
import { hostFacts, detectHost } from '../../../supervisor/host/host-facts.js';
import type { HostSources } from '../../../supervisor/host/host-facts.js';
import { parseAccounts } from '../../../supervisor/host/accounts.js';

const accounts = parseAccounts(
  'root:x:0:0::/root:/bin/sh\nann:x:1000:100::/home/ann:/bin/sh\nnobody:x:65534:65534::/:/bin/false',
);

function view(change: Partial<HostSources>) {
  return hostFacts({
    accounts,
    pid: 42,
    environment: {},
    readLink: (path) => (path.includes('self') ? 'mnt:[2]' : 'mnt:[1]'),
    readFile: () => '',
    ...change,
  });
}

const unit = { SYSTEMD_EXEC_PID: '42' };

describe('the facts about the host', () => {
  it('include nsenter for a unit with its own mount namespace', () => {
    const { mountsPrefix, warning } = view({ environment: unit });
    expect(mountsPrefix).to.deep.equal(['nsenter', '--target', '1', '--mount', '--']);
    expect(warning).to.equal(null);
  });

  it('include no prefix for a unit without one', () => {
    expect(view({ environment: unit, readLink: () => 'mnt:[1]' }).mountsPrefix).to.deep.equal([]);
  });

  it('include no prefix for a daemon that systemd did not start', () => {
    for (const environment of [{}, { SYSTEMD_EXEC_PID: '7' }])
      expect(view({ environment }).mountsPrefix).to.deep.equal([]);
  });

  it('include a warning for a unit that may not read the namespace of PID 1', () => {
    const readLink = (): string => {
      throw new Error('EACCES: permission denied');
    };
    const { mountsPrefix, warning } = view({ environment: unit, readLink });
    expect(mountsPrefix).to.deep.equal([]);
    expect(warning).to.match(/EACCES.*CAP_SYS_PTRACE/);
  });

  it('include the login users: accounts from uid 1000 on without nobody', () => {
    expect([...view({}).users.keys()]).to.deep.equal(['ann']);
  });

  const id = '0123456789abcdef'.repeat(4);
  for (const line of [
    `1 2 8:1 /var/lib/docker/containers/${id}/hostname /etc/hostname rw - ext4 /dev/sda1 rw`,
    `1 2 0:5 /containers/storage/overlay-containers/${id}/userdata/hosts /etc/hosts rw - tmpfs tmpfs rw`,
  ])
    it(`include the id of the own container from: ${line.slice(8, 40)}…`, () => {
      expect(view({ readFile: () => `${line}\n` }).ownContainerId).to.equal(id);
    });

  it('include no container id on the host itself', () => {
    expect(view({}).ownContainerId).to.equal(null);
    expect(detectHost(accounts).usersPresent().withContainers).to.be.instanceOf(Set);
  });
});
