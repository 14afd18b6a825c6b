import { expect } from 'chai';
import {
  fedTargets,
  leftBehind,
  runsWhenOf,
  shutsDownOf,
} from '../../../../supervisor/config/derive/feeds.js';
import { configurationFrom, warningsFrom } from '../loading.js';

const ups = (name: string, more = '') => `[[ups]]\nname = "${name}"\n${more}`;
const server = (owner: string, name: string) =>
  `[[${owner}.remote_servers]]\nname = "${name}"\nhost = "${name}.test"\nuser = "root"\n`;
const group = (sources: readonly string[], more = '') =>
  `[[redundancy_groups]]\nname = "both"\nups_sources = ${JSON.stringify(sources)}\n${more}`;
const drain = '[local_shutdown]\ndrain_on_local_shutdown = true\n';

/** A server on a and b, the switch on a alone, this host on both. */
const mixed =
  ups('a') +
  server('ups', 'switch') +
  ups('b') +
  group(['a', 'b'], 'is_local = true\n') +
  server('redundancy_groups', 'nas');
/** This host on a alone, a server on both. */
const hostFirst =
  ups('a', 'is_local = true\n') + ups('b') + group(['a', 'b']) + server('redundancy_groups', 'nas');

const left = (text: string) => leftBehind(configurationFrom(text)).map((one) => one.group);

describe('what must fail for a target to go down', () => {
  it('is said for this host and every server', () => {
    expect(fedTargets(configurationFrom(mixed))).to.deep.equal([
      { name: 'this host', goesDownWhen: ['a and b fail'] },
      { name: 'switch', goesDownWhen: ['a fails'] },
      { name: 'nas', goesDownWhen: ['a and b fail'] },
    ]);
    expect(runsWhenOf(configurationFrom(mixed), 'redundancy-both')).to.equal('a and b fail');
  });

  it('is also what takes this host down, with drain_on_local_shutdown', () => {
    expect(fedTargets(configurationFrom(`${hostFirst}${drain}`))).to.deep.equal([
      { name: 'this host', goesDownWhen: ['a fails'] },
      { name: 'nas', goesDownWhen: ['a and b fail', 'a fails'] },
    ]);
  });

  it('leaves out this host where it stays up', () => {
    const text = `${ups('a')}${server('ups', 'nas')}[local_shutdown]\ntrigger_on = "none"\n`;
    expect(fedTargets(configurationFrom(text))).to.deep.equal([{ name: 'nas', goesDownWhen: ['a fails'] }]);
  });
});

describe('what the plan of a group shuts down', () => {
  const shutsDown = (text: string, of: string) => shutsDownOf(configurationFrom(text), of);

  it('is this host without is_local too, and with a drain the servers of others', () => {
    expect(shutsDown(`${ups('a')}${ups('b')}${group(['a', 'b'])}`, 'redundancy-both')).to.deep.equal({
      host: true,
      servers: [],
    });
    expect(shutsDown(`${hostFirst}${drain}`, 'a')).to.deep.equal({ host: true, servers: ['nas'] });
    expect(shutsDown(hostFirst, 'a')).to.deep.equal({ host: true, servers: [] });
    expect(shutsDown(hostFirst, 'redundancy-both')).to.deep.equal({ host: false, servers: ['nas'] });
  });

  it('is nothing for a member that owns nothing', () => {
    expect(shutsDown(mixed, 'b')).to.deep.equal({ host: false, servers: [] });
  });
});

describe('the servers that this host would leave running', () => {
  it('are those of a group that holds longer', () => {
    expect(left(hostFirst)).to.deep.equal(['redundancy-both']);
    expect(warningsFrom(hostFirst)).to.deep.equal([
      'this host goes down when a fails, nas only when a and b fail: nothing is then left to shut this server down; ' +
        'set local_shutdown.drain_on_local_shutdown = true to shut it down with this host',
    ]);
  });

  it('are none where they go down at the latest with this host, or are drained', () => {
    expect(left(mixed)).to.deep.equal([]);
    expect(left(`${hostFirst}${drain}`)).to.deep.equal([]);
    expect(left(`${hostFirst}[local_shutdown]\nenabled = false\n`)).to.deep.equal([]);
  });

  it('are those of other UPSes where every UPS powers this host off', () => {
    const text = ups('a') + server('ups', 'nas') + ups('b') + server('ups', 'db') + server('ups', 'web');
    expect(left(text)).to.deep.equal(['a', 'b']);
    expect(left(`${text}[local_shutdown]\ntrigger_on = "none"\n`)).to.deep.equal([]);
    expect(warningsFrom(text)[1]).to.contain('when a fails, db and web only when b fails');
  });

  it('are counted from the sixth on', () => {
    const many = Array.from(
      { length: 8 },
      (_, number) => ups(`u${String(number)}`) + server('ups', `s${String(number)}`),
    );
    const warnings = warningsFrom(many.join('')).filter((text) => !text.includes('bound'));
    expect(warnings).to.have.length(6);
    expect(warnings[5]).to.equal('the same holds for 3 more groups');
    const servers = Array.from({ length: 7 }, (_, number) => server('ups', `s${String(number)}`));
    expect(warningsFrom(ups('a') + ups('b') + servers.join(''))[0]).to.contain(
      's0, s1, s2, s3, s4 and 2 more only',
    );
  });
});
