import { expect } from 'chai';
import type { HealthEffect } from '../../../supervisor/remote-health/machine/state.js';
import { good, Machine, refused, server } from './machine.js';

/** The results of one server in order (`+` good, `-` failed), its status after each, and all messages. */
const table: readonly (readonly [
  threshold: number,
  findings: string,
  statuses: string,
  said: readonly string[],
])[] = [
  [2, '+', 'HEALTHY', ['event HEALTHY']],
  [2, '-', 'DEGRADED', ['event DEGRADED']],
  [2, '++', 'HEALTHY HEALTHY', ['event HEALTHY']],
  [2, '+-', 'HEALTHY DEGRADED', ['event HEALTHY', 'event DEGRADED']],
  [2, '+-+', 'HEALTHY DEGRADED HEALTHY', ['event HEALTHY', 'event DEGRADED', 'event HEALTHY']],
  [2, '--', 'DEGRADED FAILED', ['event DEGRADED', 'event FAILED', 'message FAILED']],
  [
    2,
    '+----+',
    'HEALTHY DEGRADED FAILED FAILED FAILED HEALTHY',
    ['event HEALTHY', 'event DEGRADED', 'event FAILED', 'message FAILED', 'event HEALTHY', 'message HEALTHY'],
  ],
  [1, '-', 'FAILED', ['event FAILED', 'message FAILED']],
  [1, '+-', 'HEALTHY FAILED', ['event HEALTHY', 'event FAILED', 'message FAILED']],
  [
    1,
    '-+-',
    'FAILED HEALTHY FAILED',
    ['event FAILED', 'message FAILED', 'event HEALTHY', 'message HEALTHY', 'event FAILED', 'message FAILED'],
  ],
  [
    3,
    '--+--',
    'DEGRADED DEGRADED HEALTHY DEGRADED DEGRADED',
    ['event DEGRADED', 'event HEALTHY', 'event DEGRADED'],
  ],
];

const texts = (effects: readonly HealthEffect[]): readonly string[] =>
  effects.flatMap((effect) => {
    if (effect.kind === 'recordEvent') return [effect.detail];
    return effect.kind === 'notify' ? [effect.text] : [];
  });

describe('the health of a remote server', () => {
  for (const [failureThreshold, findings, statuses, said] of table)
    it(`with failure_threshold ${String(failureThreshold)} goes through ${findings} as ${statuses}`, () => {
      const machine = new Machine({ failureThreshold });
      const seen = [...findings].map((sign) => {
        machine.next(sign === '+' ? good : refused);
        return machine.row.status;
      });
      expect(seen.join(' ')).to.equal(statuses);
      expect(machine.outputLines.map((one) => one.replace('REMOTE_HEALTH_', ''))).to.deep.equal(said);
    });

  it('is UNKNOWN until the first probe has ended, and does not change by a running probe', () => {
    const machine = new Machine();
    expect(machine.row.status).to.equal('UNKNOWN');
    machine.tick();
    expect(machine.row).to.include({ status: 'UNKNOWN', lastCheckedAt: null });
    machine.answer(good);
    machine.tick(66_000);
    expect(machine.row.status).to.equal('HEALTHY');
  });

  it('shows the last probe, the last success, its latency and the error', () => {
    const machine = new Machine();
    machine.next(good);
    const goodAt = Math.floor(machine.at.unixSeconds);
    expect(machine.row).to.deep.include({
      lastCheckedAt: goodAt,
      lastSuccessAt: goodAt,
      latencyMs: 120,
      lastError: null,
      consecutiveFailures: 0,
    });
    machine.next(refused);
    machine.next(refused);
    expect(machine.row).to.deep.include({
      lastCheckedAt: Math.floor(machine.at.unixSeconds),
      lastSuccessAt: goodAt,
      latencyMs: null,
      lastError: 'connection refused',
      consecutiveFailures: 2,
    });
  });

  it('is described in words: the change, its meaning and what to do', () => {
    const machine = new Machine();
    machine.next(good);
    expect(texts(machine.next(refused))).to.deep.equal(['nas: HEALTHY -> DEGRADED: connection refused']);
    expect(texts(machine.next(refused))).to.deep.equal([
      'nas: DEGRADED -> FAILED: connection refused',
      'The remote server nas (root@192.0.2.9) could not be shut down now: 2 failed probes in a row ' +
        '(connection refused). In an outage its shutdown is still tried, but it may lose power while it runs. ' +
        'Check that it is up, that its sshd runs, and that it accepts the key.',
    ]);
    expect(texts(machine.next(good))).to.deep.equal([
      'nas: FAILED -> HEALTHY: good again after 2 failed probes in a row',
      'The remote server nas (root@192.0.2.9) can be logged in to again, after 2 failed probes in a row. Nothing needs to be done.',
    ]);
  });

  it('causes no message when messages about it are disabled', () => {
    const machine = new Machine({ failureThreshold: 1, notifyOnFailure: false, notifyOnRecovery: false });
    machine.next(refused);
    machine.next(good);
    expect(machine.outputLines).to.deep.equal(['event REMOTE_HEALTH_FAILED', 'event REMOTE_HEALTH_HEALTHY']);
  });

  it('changes the status of its group only when a field of it changes', () => {
    const machine = new Machine();
    const published = (finding: typeof good) =>
      machine.next(finding).filter((effect) => effect.kind === 'publish')[0];
    expect(published(good)).to.deep.equal({ kind: 'publish', group: 'office', status: true });
    expect(published(good)).to.deep.equal({ kind: 'publish', group: 'office', status: false });
    expect(published(refused)).to.deep.include({ status: true });
    expect(published(refused)).to.deep.include({ status: true });
  });

  it('has a slow response above half of the connect_timeout, which is recorded once while it lasts', () => {
    const machine = new Machine();
    const slow = { ok: true, latencyMs: 5_001, unchecked: '' } as const;
    const edge = { ok: true, latencyMs: 5_000, unchecked: '' } as const;
    for (const finding of [edge, slow, slow, edge, slow]) machine.next(finding);
    expect(machine.outputLines).to.deep.equal([
      'event REMOTE_HEALTH_HEALTHY',
      'event REMOTE_SSH_SLOW_RESPONSE',
      'event REMOTE_SSH_SLOW_RESPONSE',
    ]);
    expect(texts(machine.effects)[1]).to.equal(
      'nas: the probe took 5 s, more than half of its connect_timeout (10 s)',
    );
  });

  it('is DISABLED while the server is not probed, and UNKNOWN again when it is', () => {
    const machine = new Machine({ servers: [server('nas', { probed: false })] });
    expect(machine.tick(66_000)).to.deep.equal([]);
    expect(machine.row.status).to.equal('DISABLED');
    machine.configure({});
    expect(machine.row.status).to.equal('UNKNOWN');
    machine.next(good);
    machine.configure({ servers: [server('nas', { probed: false })] });
    expect(machine.row).to.include({ status: 'DISABLED', lastSuccessAt: null });
  });
});
