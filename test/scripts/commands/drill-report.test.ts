import { expect } from 'chai';
import { drillReport } from '../../../scripts/commands/drill/report.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';

describe('the report of a drill', () => {
  it('counts servers, not the phases that run on a delegate', () => {
    const on = (server: string, final: string | null) =>
      planStep(server, { action: { kind: 'remote', work: { ...remoteWork(server), final } } });
    const phase = planPhase('remote_servers', [on('host', null), on('nas', 'poweroff')]);
    const steps = phase.steps.map((step) => ({ step, outcome: { kind: 'done' } as const, seconds: 1 }));
    const report = drillReport({
      plan: { ...planWith([phase]), dryRun: true },
      steps,
      seconds: 1,
      cancelled: null,
      batteries: [],
      measured: [],
      thresholdSeconds: null,
    });
    expect(report.split('\n')[0]).to.equal('1 of 1 servers could be shut down.');
  });
});
