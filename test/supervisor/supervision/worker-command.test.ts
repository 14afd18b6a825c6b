import { expect } from 'chai';
import { parseAccounts, readAccounts } from '../../../supervisor/host/accounts.js';
import {
  setprivWords,
  workerCommandLine,
  workerEnvironment,
} from '../../../supervisor/supervision/worker-command.js';

const order = { entry: '/opt/worker.js', heapLimitMb: 120, nodePath: '/usr/bin/node' };

describe('The command line of a worker', () => {
  it('binds it to the supervisor and removes its capabilities, without root', () => {
    const line = workerCommandLine({ ...order, account: null });
    expect(line.slice(0, line.indexOf('/usr/bin/node') + 1)).to.deep.equal([
      '/usr/bin/setpriv',
      '--pdeathsig=KILL',
      '--no-new-privs',
      ...(process.getuid?.() === 0 ? ['--bounding-set=-all'] : []),
      '--inh-caps=-all',
      '/usr/bin/node',
    ]);
    expect(line).to.include('--max-old-space-size=120');
    expect(line.at(-2)).to.match(/^--require=\/.*supervisor-guard\.cjs$/);
    expect(line.at(-1)).to.equal('/opt/worker.js');
  });

  it('leaves the bounding set to root, since setpriv 2.41 fails for others', () => {
    expect(setprivWords(null, true)).to.include('--bounding-set=-all');
    expect(setprivWords(null, false)).to.deep.equal([
      '/usr/bin/setpriv',
      '--pdeathsig=KILL',
      '--no-new-privs',
      '--inh-caps=-all',
    ]);
  });

  it('of one that writes as root keeps its account and one capability, and leaves the network where it can', () => {
    const line = workerCommandLine({ ...order, account: null, writesAsRoot: true });
    expect(line.slice(0, line.indexOf('/usr/bin/node'))).to.deep.equal([
      '/bin/sh',
      '-c',
      'unshare --net -- true 2>/dev/null && exec unshare --net -- "$@"; exec "$@"',
      'ridethrough',
      '/usr/bin/setpriv',
      '--pdeathsig=KILL',
      '--no-new-privs',
      '--bounding-set=-all,+dac_override',
      '--inh-caps=-all',
      '--reuid=0',
      '--regid=0',
      '--clear-groups',
    ]);
  });

  it('knows no account where there is no file of them', () =>
    expect(readAccounts('/nowhere/passwd', '/nowhere/group').size).to.equal(0));

  it('runs it as its user by number, without further groups', () => {
    const line = workerCommandLine({ ...order, account: { uid: 990, gid: 991, groups: [] } });
    expect(line).to.include.members(['--reuid=990', '--regid=991', '--clear-groups']);
    expect(line.indexOf('--clear-groups')).to.be.below(line.indexOf('/usr/bin/node'));
  });

  it('keeps the groups that its user is a member of, and no others', () => {
    const line = workerCommandLine({ ...order, account: { uid: 990, gid: 991, groups: [7, 8] } });
    expect(line).to.include('--groups=7,8').and.not.to.include('--clear-groups');
  });
});

describe('The environment of a worker', () => {
  it('contains only the variables that a worker needs, and names the supervisor', () => {
    const environment = workerEnvironment(
      { TZ: 'Europe/Berlin', NODE_EXTRA_CA_CERTS: '/etc/ca.pem', SECRET: 'x', NODE_OPTIONS: '--inspect' },
      4711,
    );
    expect(environment).to.include({
      TZ: 'Europe/Berlin',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      RIDETHROUGH_SUPERVISOR: '4711',
    });
    expect(environment).not.to.have.any.keys('SECRET', 'NODE_OPTIONS');
  });
});

describe('The accounts of the machine', () => {
  it('are those of passwd, without invalid lines', () => {
    const accounts = parseAccounts(
      'root:x:0:0:root:/root:/bin/sh\n\n# note\n+::::::\nbroken:x:a:1\nnet:x:990:991::/:\n',
      'state:x:50:net,other\nroot:x:0:\nbroken:x:a:net\nadm:x:4:net\n',
    );
    expect([...accounts]).to.deep.equal([
      ['root', { uid: 0, gid: 0, groups: [] }],
      ['net', { uid: 990, gid: 991, groups: [50, 4] }],
    ]);
  });
});
