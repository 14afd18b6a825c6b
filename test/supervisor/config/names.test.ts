import { expect } from 'chai';
import { configurationFrom, problemsOf, refuses, withGroup, withServer } from './loading.js';

const ups = (name: string): string => `[[ups]]\nname = ${JSON.stringify(name)}\n`;

describe('names of UPSes', () => {
  refuses([
    {
      it: 'must not be missing, because a file without a UPS monitors nothing',
      file: '[behavior]\ndry_run = true',
      path: 'ups',
      message: 'no UPS to watch; add [[ups]] with name = "NAME@HOST"',
    },
    {
      it: 'may not be two spellings of one UPS',
      file: ups('office') + ups('office@LOCALHOST:3493'),
      path: 'ups[office@LOCALHOST:3493].name',
      message:
        '"office@LOCALHOST:3493" and "office" are the same UPS (office@localhost:3493); keep one [[ups]]',
    },
    {
      it: 'must not give the same groupId',
      file: ups('a@nut.1') + ups('a-nut.1@localhost') + ups('a-nut.1-localhost'),
      path: 'ups[a-nut.1-localhost].name',
      message:
        '"a-nut.1-localhost" and "a-nut.1@localhost" give the same id "a-nut.1-localhost"; each id must be unique',
    },
    {
      it: 'must not give the id of the daemon',
      file: ups('daemon'),
      path: 'ups[daemon].name',
      message:
        'gives the id "daemon", which is reserved for the daemon itself; ' +
        'write the name with its host, such as "NAME@localhost", or rename the UPS in NUT',
    },
    {
      it: 'must not give an id that redundancy groups reserve',
      file: ups('redundancy-1@nut'),
      path: 'ups[redundancy-1@nut].name',
      message:
        'gives the id "redundancy-1-nut", which is reserved for redundancy groups; ' +
        'write the name with its host, such as "NAME@localhost", or rename the UPS in NUT',
    },
  ]);

  for (const bad of [
    '',
    'a b@nut',
    'office@',
    'office@nut:0',
    'office@nut:99999',
    '-v@nut',
    'a@b@c',
    'a\u0007@n',
  ]) {
    it(`refuses ${JSON.stringify(bad)}`, () => {
      const [problem] = problemsOf(ups(bad));
      expect(problem?.path).to.match(/^ups\[.*\]\.name$/);
      expect(problem?.message).to.match(/^expected NAME@HOST\[:PORT\]/);
    });
  }

  it('are split into UPS, host and port', () => {
    const [first, second] = configurationFrom(ups('rack') + ups('rack@[::1]:1234')).ups;
    expect(first?.address).to.deep.equal({ ups: 'rack', host: 'localhost', port: 3493 });
    expect(second?.address).to.deep.equal({ ups: 'rack', host: '::1', port: 1234 });
  });
});

describe('names of groups and servers', () => {
  const server = (name: string, host: string): string =>
    `[[ups.remote_servers]]\nname = "${name}"\nhost = "${host}"\nuser = "root"\n`;

  refuses([
    {
      it: 'are unique among groups by their id',
      file:
        withGroup +
        '[[redundancy_groups]]\nname = "rack 1"\nups_sources = ["c", "d"]\n' +
        ups('c') +
        ups('d'),
      path: 'redundancy_groups[rack 1].name',
      message: '"rack 1" and "rack-1" give the same id "redundancy-rack-1"; rename one',
    },
    {
      it: 'are unique among the servers of the file',
      file: withServer + ups('second') + server('nas', '192.0.2.77'),
      path: 'ups[second].remote_servers[nas].name',
      message:
        'the name "nas" is given twice (also under ups[office@127.0.0.1:3493]); names of servers are unique in the file',
    },
    {
      it: 'are unique for servers, because a machine has one owner',
      file: withServer + ups('second') + server('copy', '192.0.2.9'),
      path: 'ups[second].remote_servers[copy].host',
      message:
        'root@192.0.2.9:22 is already ups[office@127.0.0.1:3493].remote_servers[nas]; a machine is shut down by one owner',
    },
  ]);

  it('allow two users or ports of one host', () => {
    const text = withServer + server('other', '192.0.2.9').replace('"root"', '"admin"');
    expect(configurationFrom(text).ups[0]?.resources.remoteServers.length).to.equal(2);
  });

  it('may be the same for a group and a UPS', () => {
    const text = withGroup.replace('"rack-1"', '"office"');
    expect(configurationFrom(text).redundancyGroups[0]?.policy.groupId).to.equal('redundancy-office');
  });
});
