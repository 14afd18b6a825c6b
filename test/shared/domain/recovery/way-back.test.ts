import { expect } from 'chai';
import type { Finding } from '../../../../shared/domain/recovery/recovery-check.js';
import type { KnownOfMachine, Machine } from '../../../../shared/domain/recovery/way-back.js';
import { checkedMachine } from '../../../../shared/domain/recovery/way-back.js';

const cut = (label: string, seconds: Machine['feeds'][number]['cut']) => ({
  ups: label.toLowerCase(),
  label,
  cut: seconds,
});
const nas: Machine = {
  ...{ server: 'nas', group: 'rack', groupLabel: 'Rack', feeds: [cut('A', 120)], wake: null },
  ...{ isNutServerOf: [], isLookedAt: true, drilledAs: 'nas', drillAsks: ['containers'] },
  ...{ stopsGuests: false, startsGuests: false },
};
const host: Machine = { ...nas, server: null, drilledAs: null, drillAsks: [] };
/** Nothing speaks against it. */
const good: KnownOfMachine = {
  proven: 1_000,
  drilled: { server: 'nas', unixSeconds: 900, findings: [] },
  returnOf: () => ({ verdict: 'returns', reason: 'by its documents' }),
};

const check = (machine: Partial<Machine> = {}, known: Partial<KnownOfMachine> = {}) =>
  checkedMachine({ ...nas, ...machine }, { ...good, ...known });
const found = (...of: Parameters<typeof check>): readonly (readonly [Finding['kind'], Finding['level']])[] =>
  check(...of).findings.map(({ kind, level }) => [kind, level]);

describe('the way back of a machine', () => {
  it('has nothing against it whose output is cut and returns, which was asked, and which came back once', () => {
    expect(check()).to.deep.equal({
      ...{ name: 'nas', isHost: false, group: 'rack', way: 'by_itself', proven: 1_000, drilled: 900 },
      evidence: 'its firmware is to start it with the power, when the output of A is on again',
      findings: [],
    });
  });

  it('stays off with a feed that is not cut, until somebody starts it', () => {
    const { evidence, findings, way } = check({ feeds: [cut('A', 120), cut('B', null)] });
    expect(way).to.equal('never');
    expect(findings.map(({ text }) => text)).to.deep.equal([
      'nothing cuts the output of B, so it keeps its power after its shutdown: where mains is back before the battery is empty, it stays off until somebody starts it',
    ]);
    expect(evidence).to.match(/^nothing but the end of the battery takes its power/);
    expect(found({ feeds: [cut('A', null)], wake: 'mac' })).to.deep.equal([['output_stays_on', 'warning']]);
    expect(found({ feeds: [cut('A', 'late')] }), "NUT's late hook cuts it").to.deep.equal([]);
  });

  it('has a warning for Wake-on-LAN behind an output that is cut, and none for a command', () => {
    expect(found({ wake: 'mac' })).to.deep.equal([['wake_after_cut', 'warning']]);
    expect(found({ wake: 'command' })).to.deep.equal([]);
    expect(check({ wake: 'mac' })).to.include({ way: 'wake' });
    expect(check({ wake: 'mac' }).evidence).to.match(/which this version does not do$/);
  });

  it('has a warning as the NUT server of its own UPS', () => {
    const { findings } = check({ isNutServerOf: ['A'] });
    expect(findings[0]).to.include({ kind: 'nut_server', level: 'warning' });
    expect(findings[0]?.text).to.match(/^it is the NUT server of A, which feeds it: once it is off, A can/);
  });

  it('says of this host for how long nobody is awake if mains returns, by the last of its outputs', () => {
    const { findings } = check({ ...host, feeds: [cut('A', 120), cut('B', 180)] });
    expect(findings.map(({ kind, level }) => [kind, level])).to.deep.equal([['nobody_awake', 'note']]);
    expect(findings[0]?.text).to.match(/^if mains returns within 3 min of the power-off and the UPS then/);
    const [late] = check({ ...host, feeds: [cut('A', 'late')] }).findings;
    expect(late?.text).to.contain('before the late hook of NUT has cut the power');
    expect(found({ ...host, feeds: [cut('A', null)] })).to.deep.equal([['output_stays_on', 'warning']]);
  });

  for (const [verdict, expected] of [
    ['returns', []],
    ['may_not_return', [['output', 'warning']]],
    ['unknown', [['output', 'note']]],
  ] as const)
    it(`has ${expected.length === 0 ? 'nothing' : `a ${expected[0][1]}`} for an output with the verdict ${verdict}`, () => {
      const returnOf = () => ({ verdict, reason: 'ups.start.auto reads no' });
      expect(found({}, { returnOf })).to.deep.equal(expected);
      expect(found({ feeds: [cut('A', null)] }, { returnOf }), 'it is not cut').to.deep.equal([
        ['output_stays_on', 'warning'],
      ]);
    });

  it('has what the last drill found, and says where none has asked', () => {
    const findings = [
      { kind: 'containers', text: 'web stays off' },
      { kind: 'guests', text: 'HA keeps vm:101' },
      { kind: 'wake', text: 'Wake-on: d' },
      { kind: 'mac', text: 'another address' },
      { kind: 'not_asked', text: 'no POSIX shell' },
    ] as const;
    const drilled = { server: 'nas', unixSeconds: 900, findings };
    expect(found({}, { drilled })).to.deep.equal([
      ['containers', 'warning'],
      ['guests', 'warning'],
      ['wake', 'warning'],
      ['mac', 'warning'],
      ['not_asked', 'note'],
    ]);
    expect(check({}, { drilled: undefined })).to.include({ drilled: null });
    const [never] = check({ groupLabel: "Tom's rack" }, { drilled: undefined }).findings;
    expect(never).to.include({ kind: 'not_asked', level: 'note' });
    expect(never?.remedy).to.equal(
      `as root, a drill, which shuts nothing down: ridethrough shutdown group --group 'Tom'\\''s rack'`,
    );
  });

  it('says of a machine that no drill has asked what a drill would ask it, and nothing where that is nothing', () => {
    const textOf = (drillAsks: Machine['drillAsks']) =>
      check({ drillAsks }, { drilled: undefined }).findings.map(({ text }) => text);
    expect(textOf(['containers'])).to.deep.equal([
      'no drill has asked it since this host booted which of its containers stay off',
    ]);
    expect(textOf(['guests', 'wake'])).to.deep.equal([
      'no drill has asked it since this host booted which of its guests HA keeps started, whether its network card is armed',
    ]);
    expect(textOf([])).to.deep.equal([]);
  });

  it('says that guests without autostart stay off, unless this daemon starts what it has stopped', () => {
    expect(found({ stopsGuests: true })).to.deep.equal([['guests', 'note']]);
    expect(found({ stopsGuests: true, startsGuests: true })).to.deep.equal([]);
    const findings = [
      { kind: 'containers', text: 'web stays off' },
      { kind: 'wake', text: 'Wake-on: d' },
    ] as const;
    const drilled = { server: null, unixSeconds: 900, findings };
    expect(found({ ...host, startsGuests: true }, { drilled })).to.deep.equal([
      ['nobody_awake', 'note'],
      ['wake', 'warning'],
    ]);
  });

  it('has as never proven what was never seen up again, and cannot be where nothing looks', () => {
    expect(found({}, { proven: null })).to.deep.equal([['never_proven', 'note']]);
    const [blind] = check({ isLookedAt: false }, { proven: null }).findings;
    expect(blind?.text).to.equal(
      'never proven, and cannot be: with off_check = "none" nothing looks whether it is up',
    );
  });

  it('has for each finding what to do', () => {
    const all = check(
      { ...host, feeds: [cut('A', null)], isNutServerOf: ['A'], drillAsks: ['containers'] },
      { proven: null, drilled: undefined },
    );
    for (const { kind, remedy } of all.findings) expect(remedy, kind).not.to.equal('');
  });
});
