import { expect } from 'chai';
import { policySettings } from '../../../../supervisor/config/derive/policy-settings.js';
import { configurationFrom, office, withGroup } from '../loading.js';

const policyOf = (text: string) => configurationFrom(text).ups[0]?.policy;

describe("policy's settings of a UPS", () => {
  it('are in milliseconds, percent and percent per minute', () => {
    const policy = policyOf(
      `${office}check_interval = 0.25\ntransport = "tools"\nmax_stale_data_tolerance = 7\n` +
        '[ups.connection_loss_grace_period]\nenabled = false\nduration = 12.5\nflap_threshold = 9\n' +
        '[ups.triggers]\nlow_battery_threshold = 35.5\nfailsafe_delay = 20\n' +
        '[ups.triggers.extended_time]\nthreshold = 60\nenabled = false',
    );
    expect(policy?.checkIntervalMs).to.equal(250);
    expect(policy?.transport).to.equal('tools');
    expect(policy?.maxStaleDataTolerance).to.equal(7);
    expect(policy?.grace).to.deep.equal({ enabled: false, durationMs: 12_500, flapThreshold: 9 });
    expect(policy?.triggers.lowBatteryPercent).to.equal(35.5);
    expect(policy?.triggers.failsafeMs).to.equal(20_000);
    expect(policy?.triggers.extendedTime).to.deep.equal({ enabled: false, thresholdMs: 60_000 });
  });

  it('take each threshold from the UPS, then from [triggers], then from the defaults', () => {
    const triggers = policyOf(
      `${office}[ups.triggers]\nlow_battery_threshold = 40\n[ups.triggers.depletion]\ncritical_rate = 5\n` +
        '[triggers]\nlow_battery_threshold = 30\nconfirmations = 4\n[triggers.depletion]\ngrace_period = 10',
    )?.triggers;
    expect(triggers?.lowBatteryPercent).to.equal(40);
    expect(triggers?.confirmations).to.equal(4);
    expect(triggers?.criticalRuntimeSeconds).to.equal(600);
    expect(triggers?.depletion).to.deep.equal({
      ...{ windowMs: 300_000, criticalRate: 5, graceMs: 10_000 },
      runtimeHoldMs: 120_000,
    });
  });

  for (const [interval, deadlineMs] of [
    [0.2, 5000],
    [1, 5000],
    [2.5, 5000],
    [3, 6000],
    [5, 10_000],
    [30, 10_000],
  ] as const) {
    it(`give a poll every ${String(interval)} s a deadline of ${String(deadlineMs)} ms`, () => {
      expect(policyOf(`${office}check_interval = ${String(interval)}`)?.pollDeadlineMs).to.equal(deadlineMs);
    });
  }

  it('are complete for UPSes and groups', () => {
    const configuration = configurationFrom(`${withGroup}[notifications]\nvoltage_hysteresis_seconds = 12`);
    const settings = policySettings(configuration);
    expect(settings.ups.map(({ groupId }) => groupId)).to.deep.equal([
      'office-127.0.0.1-3493',
      'rack-a-nut1',
      'rack-b-nut1',
    ]);
    expect(settings.redundancyGroups).to.deep.equal([
      {
        groupId: 'redundancy-rack-1',
        name: 'rack-1',
        isLocal: false,
        members: ['rack-a-nut1', 'rack-b-nut1'],
        minHealthy: 1,
        degradedCountsAs: 'healthy',
        unknownCountsAs: 'critical',
        triggers: settings.ups[0]?.triggers,
      },
    ]);
    expect(settings.voltageHysteresisMs).to.equal(12_000);
  });

  it('survive the transport as JSON', () => {
    const configuration = configurationFrom(withGroup);
    expect(JSON.parse(JSON.stringify(configuration))).to.deep.equal(configuration);
  });
});
