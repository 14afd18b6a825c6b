import { expect } from 'chai';
import type { RecordedGuest } from '../../../../shared/domain/recovery/guest.js';
import type { Container } from '../../../../shared/domain/commands/container-state.js';
import { containersIn } from '../../../../shared/domain/commands/container-state.js';
import { afterOf, verdictOf } from '../../../../supervisor/recovery/guests/container-verdict.js';

const stopped = 1_790_000_000;
const guest: RecordedGuest = {
  ...{ engine: 'docker', id: 'a'.repeat(64), name: 'web', user: null },
  ...{ foundMs: 1, foundUnixSeconds: stopped, state: 'stopped', reason: '' },
};
const container: Container = {
  ...{ id: guest.id, name: 'web', status: 'exited', started: stopped - 86_400, finished: stopped + 3 },
  ...{ project: '', service: '', dependsOn: [], keeper: null },
};
const verdict = (change: Partial<Container>) => verdictOf(guest, { ...container, ...change }, true).kind;
const line = (...fields: unknown[]) => JSON.stringify(fields);

describe('a container that a shutdown has stopped', () => {
  it('is started where it is still stopped', () => {
    expect(verdict({})).to.equal('start');
    expect(verdict({ status: 'created' })).to.equal('start');
  });

  it('is not started where it runs, is paused or restarts', () => {
    for (const status of ['running', 'paused', 'restarting'])
      expect(verdict({ status }), status).to.equal('runs');
  });

  it('is left to whoever has started it since', () => {
    expect(verdict({ started: stopped + 60, finished: stopped + 90 })).to.equal('over');
    expect(verdict({ started: stopped + 7_200, finished: stopped + 7_199.9 }), 'moby#45445').to.equal('over');
  });

  it('is started after a boot whose clock is an hour back', () => {
    expect(verdict({})).to.equal('start');
  });

  it('is started where the clock was in 1970 at its stop, or in the future at its start', () => {
    const in1970 = { ...guest, foundUnixSeconds: 300 };
    expect(verdictOf(in1970, { ...container, finished: 303 }, true).kind).to.equal('start');
    expect(verdict({ started: stopped + 9e7 })).to.equal('start');
  });

  it('is started where its stop took an hour, and the clock was in the future at its start', () => {
    const slow = { started: stopped + 9e7, finished: stopped + 3_590 };
    expect(verdict(slow)).to.equal('start');
    expect(verdict({ ...slow, finished: stopped + 7_200 }), 'by nobody of this daemon').to.equal('over');
  });

  it('is left alone where the clock went back and it ended again before its stop', () => {
    expect(verdict({ started: stopped - 3_000, finished: stopped - 2_400 })).to.equal('stays');
  });

  it('is started where power was lost before it had ended, and its end is of the run before', () => {
    expect(verdict({ started: stopped - 3_000, finished: stopped - 90_000 })).to.equal('start');
  });

  it('is started where its end is not known', () => {
    expect(verdict({ finished: null })).to.equal('start');
    expect(verdict({ started: null, finished: null })).to.equal('start');
  });

  it('of a swarm, of Kubernetes or of systemd is left to them', () => {
    expect(verdict({ keeper: { kind: 'swarm', name: 't' } })).to.equal('over');
    expect(verdict({ keeper: { kind: 'kubernetes', name: 'p' } })).to.equal('over');
    expect(verdict({ keeper: { kind: 'systemd', name: 'web.service' } })).to.equal('stays');
  });

  it('that the engine does not know is gone, unless another has its name', () => {
    expect(verdictOf(guest, undefined, false).kind).to.equal('gone');
    expect(verdictOf(guest, undefined, true).kind).to.equal('over');
  });
});

describe('the answer of an engine', () => {
  const dates = ['2026-11-30T08:00:00.5Z', '0001-01-01T00:00:00Z'];
  it('is read line by line, and what is no container is left out', () => {
    const row = [
      'a1',
      'Exited',
      '/web',
      dates,
      ['app', 'web', 'db:service_healthy:false,cache:service_started:true'],
    ];
    const text = ['a warning', line(row, [null, '', 'web.service']), '[[1]]', '[['].join('\n');
    const [found, ...others] = containersIn(text);
    expect(others).to.deep.equal([]);
    expect(found).to.deep.equal({
      ...{ id: 'a1', status: 'exited', name: 'web', started: 1_796_025_600.5, finished: null },
      ...{ project: 'app', service: 'web', dependsOn: ['db', 'cache'] },
      keeper: { kind: 'systemd', name: 'web.service' },
    });
  });

  it('of podman-compose has no unit, though each has the label of one since version 1.0.6', () => {
    const row = ['a1', 'exited', 'app_db_1', ['', ''], ['app', 'db', '']];
    const [found] = containersIn(line(row, [null, null, 'podman-compose@app.service']));
    expect(found?.keeper).to.equal(null);
  });

  it('has what starts before a service of compose', () => {
    const of = (id: string, service: string, dependsOn: string[], project = 'app') => ({
      ...{ ...container, id, service, dependsOn, project },
    });
    const after = afterOf([of('1', 'web', ['db']), of('2', 'db', []), of('3', 'db', [], 'other'), container]);
    expect([...after.values()]).to.deep.equal([['2'], [], [], []]);
  });

  it('has a bounded part of what labels name, which anybody may write', () => {
    const names = Array.from({ length: 1_000 }, (_, place) => `s${String(place)}`);
    const after = afterOf(
      names.map((id) => ({ ...container, id, service: id, dependsOn: names, project: 'app' })),
    );
    expect(Math.max(...[...after.values()].map(({ length }) => length))).to.equal(64);
  });
});
