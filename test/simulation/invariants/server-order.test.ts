import { expect } from 'chai';
import { Played, server, serverStep, step } from './played.js';

const done = { kind: 'done' } as const;
/** In a world with servers. */
const withServers = (...orders: readonly number[]): Played =>
  new Played({}, { servers: orders.map((order, place) => server(`s${String(place)}`, order)) });

describe('the order of servers', () => {
  it('is not broken by one that a try of the sequence before still reaches, but by the same later', () => {
    const names = ['s0', 's1'];
    const unreachable = { kind: 'failed', how: 'unreachable', reason: '' } as const;
    const powerOff = ['simulated-power-off'];
    for (const [seconds, broken] of [
      [1, undefined],
      [2, 'an order waits for the one before it'],
    ] as const) {
      const refuses = { kind: 'refuses', connectMs: 10 } as const;
      const servers = names.map((name, place) => ({ ...server(name, 10 * place), behaviour: refuses }));
      const commands = names.map(serverStep);
      const [first] = commands;
      if (first === undefined) throw new Error('there are two');
      const works = commands.flatMap(({ action }) => (action.kind === 'remote' ? action.work : []));
      const again = step({ kind: 'commandAgain', works }, 'local_poweroff', 'local_poweroff/servers/again');
      const played = new Played({}, { servers }).shutsDown(first);
      const { observer, world } = played;
      for (const one of commands) {
        if (one !== first) observer.began(one);
        observer.ended(one, unreachable);
      }
      played.says('REMOTE_SHUTDOWN_SUMMARY', 'a: 0 of 2 ok: s0 unreachable, s1 unreachable');
      observer.ran(powerOff);
      observer.began(again);
      observer.commandEnded({ kind: 'exited', code: 1, output: '' }, powerOff);
      observer.ended(again, null);
      played.says('SHUTDOWN_SEQUENCE_COMPLETE', 'a: all phases have ended');
      world.perform({ kind: 'demand', ups: 'a', on: true });
      played.mains(230).reads('OL', 18, 2_000, seconds);
      played.reads('OB FSD', 18, 2_000, 1, 'a', () => played.falls('FSD: forced', serverStep('s0')));
      expect(played.broken).to.equal(undefined);
      observer.commanded('s1');
      expect(played.broken).to.equal(broken);
    }
  });

  it('is broken by one that does not wait for the order before', () => {
    const played = withServers(10, 20).shutsDown(serverStep('s0'));
    played.observer.commanded('s1');
    expect(played.broken).to.equal('an order waits for the one before it');
  });

  it('is broken by equal ones that do not begin together', () => {
    const played = withServers(10, 10).shutsDown(serverStep('s0')).reads('OB', 17, 1_800, 2);
    played.observer.ended(serverStep('s0'), done);
    expect(played.broken).to.equal('equal orders run together');
  });

  it('is broken by a wait that says off of one that is on', () => {
    const played = withServers(10).shutsDown(serverStep('s0'));
    const about = { server: 's0', commandedBy: 's0', timeoutSeconds: 5, followsSeconds: 5 };
    played.observer.ended(step({ kind: 'awaitOff', ...about }, 'remote_servers', 's0/off'), done);
    expect(played.broken).to.equal('a server that is said to be off is off');
  });
});
