// The questions of `ridethrough init`, answered in order: what a person is asked, and what comes of it.
import { expect } from 'chai';
import { searchedText } from '../../../../scripts/commands/init/found-text.js';
import { interview } from '../../../../scripts/commands/init/interview.js';
import type { SearchServer } from '../../../../scripts/commands/init/interview.js';
import type { FoundUps } from '../../../../scripts/commands/init/search.js';
import { upsNameAt } from '../../../../scripts/commands/init/search.js';
import { composeSetup } from '../../../../shared/domain/setup/setup.js';
import { failureOf, refusalOf } from '../../../../workers/poller/wire/errors.js';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import { triggersOnByDefault } from '../../../../shared/domain/triggers/table.js';
import { loadText } from '../../../../supervisor/config/load/load.js';

const ups = (name: string): FoundUps => ({ name, description: '', look: failureOf('TIMEOUT', 'no answer') });

/** Servers by host: the names of their UPSes; "locked" wants a login, "gone" does not answer. */
function network(servers: Readonly<Record<string, readonly string[]>>): SearchServer {
  return (server, login) => {
    const { host } = server;
    if (host === 'gone')
      return Promise.resolve({
        server,
        skipped: 0,
        wantsLogin: false,
        upses: failureOf('SERVER_DOWN', 'gone: refused'),
      });
    if (host === 'locked' && login?.password !== 'right')
      return Promise.resolve({
        server,
        skipped: 0,
        wantsLogin: true,
        upses: refusalOf('ACCESS-DENIED', 'ERR ACCESS-DENIED'),
      });
    const value = (servers[host] ?? []).map((name) => ups(upsNameAt(name, server)));
    return Promise.resolve({ server, skipped: 0, wantsLogin: host === 'locked', upses: { ok: true, value } });
  };
}

async function asked(servers: Readonly<Record<string, readonly string[]>>, ...answers: readonly string[]) {
  const left = [...answers];
  let said = '';
  const ask = (prompt: string): Promise<string | null> => {
    said += prompt;
    return Promise.resolve(left.shift() ?? null);
  };
  const questions = { ask, askHidden: ask, say: (text: string) => void (said += text) };
  const result = await interview(questions, network(servers));
  return { result, said, left };
}

describe('the questions of init', () => {
  it('take the only UPS of this machine, with the answers that are offered', async () => {
    const { result } = await asked({ localhost: ['office'] }, '', '', '', '');
    expect(result?.setup).to.deep.include({ local: ['office@localhost'], servers: [], servesPage: true });
  });

  it('do not take a UPS of another machine for the one that powers this one', async () => {
    const { result } = await asked({ nas: ['office'] }, 'nas', '', '', 'n');
    expect(result?.setup).to.deep.include({ local: [], servesPage: false });
  });

  it('offer several UPSes by number, and a machine below one of them', async () => {
    const { result, said } = await asked(
      { localhost: ['a', 'b'], nas: ['c'] },
      'localhost, nas localhost:3493',
      ...['1 3', '7', '1 2', 'root@192.0.2.1', '', '2', 'poweroff'],
      ...['root@192.0.2.1', 'admin@192.0.2.2:2222', '192.0.2.1', 'two', '', '', '', ''],
    );
    const { setup } = result ?? {};
    expect(setup?.upses.map(({ name }) => name)).to.deep.equal(['a@localhost', 'c@nas']);
    expect(said).to.contain('Expected numbers from 0 to 2').and.to.contain('It is in the list already');
    expect(setup?.local).to.deep.equal(['a@localhost', 'c@nas']);
    expect(
      setup?.servers.map(({ name, ups: owner, port, command }) => [name, owner, port, command]),
    ).to.deep.equal([
      ['192.0.2.1', 'c@nas', 22, 'poweroff'],
      ['two', null, 2222, ''],
    ]);
    const loaded = loadText(
      setup === undefined ? '' : composeSetup(setup, 'a test').text(),
      {},
      undefined,
      false,
    );
    expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
    expect(loaded.ok && loaded.configuration.redundancyGroups[0]?.policy.isLocal).to.equal(true);
  });

  it('ask for a login where a server wants one, and go on without', async () => {
    const { result } = await asked({ locked: ['x'] }, 'locked', 'me', 'right', '', '', 'n');
    expect(result?.secrets).to.deep.equal([{ name: 'nut.secret', text: 'right' }]);
    expect(result?.setup.upses[0]?.login).to.deep.equal({ username: 'me', passwordFile: 'nut.secret' });
    const without = await asked({ locked: ['x'] }, 'locked', '', 'x@locked', '', '', '');
    expect(without.result?.secrets).to.deep.equal([]);
    expect(without.said).to.contain('ERR ACCESS-DENIED');
  });

  it('ask for a name where no UPS is found', async () => {
    const { result, said } = await asked({}, 'gone', 'no name', 'later@gone', '', '', '');
    expect(said).to.contain('gone: refused').and.to.contain('expected NAME@HOST');
    expect(result?.setup.upses.map(({ name }) => name)).to.deep.equal(['later@gone']);
  });

  it('end at any question, and nothing comes of it', async () => {
    const answers = ['', '', 'root@192.0.2.1', '', '', '', ''];
    for (let count = 0; count < answers.length; count += 1)
      expect(
        (await asked({ localhost: ['office'] }, ...answers.slice(0, count))).result,
        String(count),
      ).to.equal(null);
    expect((await asked({ localhost: ['office'] }, ...answers)).result).not.to.equal(null);
  });
});

describe('what init says of a UPS', () => {
  const textOf = (status: readonly string[]): string => {
    const reading = { status, chargePercent: 100, runtimeSeconds: 3_000 } as unknown as Reading;
    const look = { ok: true, value: { reading, fed: triggersOnByDefault, unfed: [] } } as const;
    const server = { host: 'localhost', port: 3493 };
    const upses = { ok: true, value: [{ ...ups('office@localhost'), look }] } as const;
    return searchedText([{ server, upses, skipped: 0, wantsLogin: false }]);
  };

  it('names the triggers that do not act while its source of power is unknown', () => {
    expect(textOf(['OL', 'OB'])).to.contain(
      'these do not act: fast drain, long outage, output off, connection lost on battery.',
    );
    expect(textOf(['OL'])).to.not.contain('do not act');
    expect(textOf(['OB'])).to.not.contain('do not act');
  });
});
