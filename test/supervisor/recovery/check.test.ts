import { expect } from 'chai';
import type { DrilledOutput } from '../../../shared/domain/recovery/recovery-check.js';
import { RecoveryCheck } from '../../../shared/domain/recovery/recovery-check.js';
import type { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import type { CheckSources } from '../../../supervisor/recovery/check.js';
import { recoveryCheck, shownCheck, wayBackReasons } from '../../../supervisor/recovery/check.js';
import { newTarget } from '../../../supervisor/recovery/target-record.js';
import { configurationFrom, office } from '../config/loading.js';

const group = 'office-127.0.0.1-3493';
const text = `${office}is_local = true
[ups.ups_output]
off_after_shutdown = true
[ups.nut_control]
password = "long enough"
[[ups.remote_servers]]
name = "nas"
host = "nas.example"
user = "root"
`;
const enabled = '[recovery]\nenabled = true\n';
const readings = {
  'driver.name': 'usbhid-ups',
  'ups.delay.shutdown': '120',
  'ups.delay.start': '180',
  'ups.status': 'OL',
};
const records = new Map([
  [
    group,
    {
      targets: [
        { ...newTarget('nas'), provenUnixSeconds: 700 },
        { ...newTarget(null), provenUnixSeconds: 800 },
      ],
    } as unknown as RecoveryRecord,
  ],
]);

const sourcesOf = (change: Partial<CheckSources>): CheckSources => ({
  ...{ configuration: configurationFrom(`${text}${enabled}`), records, trouble: '' },
  ...{ drilled: { machines: [], outputs: [] }, variablesOf: () => readings, ...change },
});
const check = (change: Partial<CheckSources> = {}): RecoveryCheck => recoveryCheck(sourcesOf(change));
const reasonsOf = (change: Partial<CheckSources> = {}) => [
  ...wayBackReasons(check(change), sourcesOf(change)),
];
const outputOf = (change: Partial<CheckSources>) =>
  check(change).machines[0]?.findings.find(({ kind }) => kind === 'output')?.level;
const judged = (verdict: DrilledOutput['verdict']) => ({
  drilled: { machines: [], outputs: [{ ups: group, command: 'shutdown.return', verdict, reason: 'asked' }] },
});

describe('the check of the recovery', () => {
  it('has this host and each server, with the date of its last return', () => {
    const { reason, machines } = check();
    expect(reason).to.equal('');
    expect(machines.map(({ name, proven }) => [name, proven])).to.deep.equal([
      ['this host', 800],
      ['nas', 700],
    ]);
    expect(RecoveryCheck.is(check())).to.equal(true);
  });

  it('says why less is known than could be', () => {
    const dry = configurationFrom(`${text}[behavior]\ndry_run = true\n`);
    expect(check({ configuration: dry, records: new Map() }).reason).to.equal(
      'recovery is off: set [recovery] enabled = true to record when a machine was seen up again; behavior.dry_run = true: nothing is shut down or cut',
    );
    expect(check({ trouble: 'the disk is full' }).reason).to.equal('the disk is full');
  });

  it('has what the last drill found on a machine', () => {
    const findings = [{ kind: 'wake', text: 'Wake-on: d' }] as const;
    const machines = [{ server: 'nas', unixSeconds: 900, findings }];
    const nas = check({ drilled: { machines, outputs: [] } }).machines[1];
    expect(nas?.drilled).to.equal(900);
    expect(nas?.findings.map(({ kind }) => kind)).to.deep.equal(['output', 'wake']);
  });

  it('takes what a UPS shows now before what a drill judged, and a drill before not knowing', () => {
    expect(outputOf({}), 'its commands are not known').to.equal('note');
    expect(outputOf(judged('returns'))).to.equal(undefined);
    expect(outputOf(judged('may_not_return'))).to.equal('warning');
    expect(
      outputOf({ ...judged('returns'), variablesOf: () => ({ ...readings, 'ups.delay.start': '0' }) }),
    ).to.equal('note');
    const reboot = configurationFrom(
      `${text}${enabled}`.replace('true\n[ups.nut', 'true\ncommand = "shutdown.reboot.graceful"\n[ups.nut'),
    );
    expect(outputOf({ ...judged('returns'), configuration: reboot }), 'of another command').to.equal('note');
    const off = { ...readings, 'ups.start.auto': 'no' };
    expect(outputOf({ ...judged('returns'), variablesOf: () => off })).to.equal('warning');
    expect(outputOf({ variablesOf: () => ({}) }), 'not read yet').to.equal('note');
  });

  it('shows of a fleet what fits in an answer, those with a warning first, and counts the rest', () => {
    const known = check();
    expect(shownCheck(known), 'all fit').to.deep.equal(known);
    const last = { kind: 'wake', level: 'warning', text: 'd', remedy: 'r' } as const;
    const machines = known.machines.slice(1).flatMap((machine) =>
      Array.from({ length: 4_000 }, (_, number) => {
        const findings = number === 3_999 ? [last] : [];
        return { ...machine, name: `s${String(number)}`, evidence: 'e'.repeat(400), findings };
      }),
    );
    const shown = shownCheck({ reason: '', machines });
    expect(shown.machines.length).to.be.within(500, 3_900);
    expect(shown.machines[0]?.name).to.equal('s3999');
    expect(shown.reason).to.equal(
      `${String(4_000 - shown.machines.length)} more machines are not shown, those with a warning being first`,
    );
    expect(JSON.stringify(shown).length).to.be.lessThan(1_100_000);
  });

  it('names fifty machines in the details of /ready, and counts the rest', () => {
    const servers = Array.from(
      { length: 60 },
      (_, number) =>
        `[[ups.remote_servers]]\nname = "s${String(number)}"\nhost = "s${String(number)}.example"\nuser = "root"\n`,
    );
    const reasons = reasonsOf({ configuration: configurationFrom(`${office}${servers.join('')}${enabled}`) });
    expect(reasons).to.have.length(51);
    expect(reasons.at(-1)?.[1]).to.equal(
      '11 more machines may not come back: see ridethrough recovery check',
    );
  });

  it('gives the details of /ready each machine with a warning once, without the output, which is there anyway', () => {
    expect(reasonsOf()).to.deep.equal([]);
    expect(reasonsOf(judged('may_not_return')), 'which only a drill knows').to.deep.equal([
      [`${group}/output_return`, 'the output may not come back: asked'],
    ]);
    const off = { ...readings, 'ups.start.auto': 'no' };
    expect(reasonsOf({ ...judged('may_not_return'), variablesOf: () => off })).to.deep.equal([]);
    const findings = [
      { kind: 'wake', text: 'Wake-on: d' },
      { kind: 'containers', text: 'web stays off' },
    ] as const;
    const machines = [{ server: 'nas', unixSeconds: 900, findings }];
    const drilled = { machines, outputs: [] };
    const configuration = configurationFrom(`${text}${enabled}guests = "leave"\n`);
    expect(reasonsOf({ drilled, configuration })).to.deep.equal([
      [`${group}/way_back/nas`, 'nas may not come back: Wake-on: d; web stays off'],
    ]);
    expect(
      reasonsOf({ drilled }).map(([, reason]) => reason),
      'the daemon starts it',
    ).to.deep.equal(['nas may not come back: Wake-on: d']);
    const uncut = configurationFrom(`${office}is_local = true\n${enabled}`);
    expect(reasonsOf({ configuration: uncut }).map(([id]) => id)).to.deep.equal([
      `${group}/way_back/this_host`,
    ]);
  });
});
