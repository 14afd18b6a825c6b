import { expect } from 'chai';
import { recordingObserver } from '../../../supervisor/sequence/event-details.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';

describe('the summary of the servers', () => {
  it('counts servers with a final command, not a host delegate without one', () => {
    const on = (server: string, final: string | null) =>
      planStep(server, { action: { kind: 'remote', work: { ...remoteWork(server), final } } });
    const phase = planPhase('remote_servers', [on('host', null), on('nas', 'poweroff')]);
    const events: string[] = [];
    const observer = recordingObserver(planWith([phase]), (_, type, detail) =>
      events.push(`${type} ${detail}`),
    );
    const ends = phase.steps.map((step) => ({ step, outcome: { kind: 'done' } as const }));
    observer.phaseFinished(phase, ends);
    expect(events).to.deep.equal([
      'SHUTDOWN_PHASE_FINISHED remote_servers of office: every step done',
      'REMOTE_SHUTDOWN_SUMMARY office: 1 of 1 ok: nas ok',
    ]);
  });

  it('says of a dry run that no server was called', () => {
    const phase = planPhase('remote_servers', [
      planStep('nas', { action: { kind: 'remote', work: remoteWork('nas') } }),
    ]);
    const events: string[] = [];
    const plan = { ...planWith([phase]), dryRun: true };
    const observer = recordingObserver(plan, (_, type, detail) => events.push(`${type} ${detail}`));
    observer.phaseFinished(
      phase,
      phase.steps.map((step) => ({ step, outcome: { kind: 'done' } as const })),
    );
    expect(events).to.include('REMOTE_SHUTDOWN_SUMMARY office (dry run): no server was called: nas');
  });
});
