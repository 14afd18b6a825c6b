import { expect } from 'chai';
import { Played, server, serverStep, step } from './played.js';

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
});
