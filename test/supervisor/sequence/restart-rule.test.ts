import { expect } from 'chai';
import type { RestartFacts } from '../../../supervisor/sequence/restart-rule.js';
import { restartCourse } from '../../../supervisor/sequence/restart-rule.js';

const rack: RestartFacts['upses'][number] = {
  ...{ groupId: 'rack@nut', label: 'Rack', hasRole: false, hostGroups: ['office'], isRead: true },
  ...{ showsFsd: false, showsBattery: false, cyclesOnMains: false },
  ...{ isAsking: true, mayAskNext: false, mayBeCut: false },
};
const due: RestartFacts = {
  ...{ isEnabled: true, isDryRun: false, isPolicyInDoubt: false },
  asking: [{ label: 'Office', isBack: true }],
  ...{ hasPowerOffBegun: false, isFlagWritten: false, upses: [rack], notCome: null, restarts: 0 },
};
const office = { label: 'Office', isBack: true };
const elsewhere = { ...rack, hostGroups: [], isAsking: false };

/** Each alone turns the restart into today's course. */
const doubts: readonly (readonly [when: string, Partial<RestartFacts>, why: RegExp])[] = [
  ['recovery is not enabled', { isEnabled: false }, /^recovery is not enabled$/],
  ['it is a dry run', { isDryRun: true }, /^it is a dry run$/],
  ['the journal has no group that asks', { asking: [] }, /^no group has asked/],
  ['power is out', { asking: [{ label: 'Office', isBack: false }] }, /^power of Office is not back$/],
  [
    'power of one of two groups is out',
    { asking: [office, { label: 'Lab', isBack: false }] },
    /^power of Lab is not back$/,
  ],
  ['the power-off has been tried', { hasPowerOffBegun: true }, /^the power-off has begun$/],
  ['policy has thrown', { isPolicyInDoubt: true }, /^policy has thrown an exception/],
  [
    'the powerdown flag is written',
    { isFlagWritten: true },
    /^the powerdown flag is written, and a late hook/,
  ],
  ['a UPS that feeds it shows FSD', { upses: [{ ...rack, showsFsd: true }] }, /^Rack shows FSD$/],
  [
    'the UPS of its NUT primary shows FSD',
    { upses: [rack, { ...elsewhere, hasRole: true, showsFsd: true }] },
    /^Rack shows FSD$/,
  ],
  [
    'a UPS of another group that powers it off shows OB',
    { upses: [rack, { ...rack, label: 'Second', isAsking: false, mayAskNext: true, showsBattery: true }] },
    /^Second shows OB$/,
  ],
  [
    'a UPS on battery feeds a group that has asked, whose other UPS has power, and one that may ask next',
    { upses: [rack, { ...rack, label: 'Second', mayAskNext: true, showsBattery: true }] },
    /^Second shows OB$/,
  ],
  ['a UPS that feeds it is not read', { upses: [{ ...rack, isRead: false }] }, /^Rack is not read$/],
  [
    'the cut of its output was sent',
    { upses: [{ ...rack, mayBeCut: true }] },
    /^Rack may have accepted the cut/,
  ],
  [
    'a UPS is known to cut and return on mains',
    { upses: [rack, { ...rack, label: 'Second', isAsking: false, mayAskNext: true, cyclesOnMains: true }] },
    /^Second cuts its output on mains too/,
  ],
  ['the record cannot be read', { restarts: null }, /^the record cannot be read/],
];

describe('the rule of a restart in place of the power-off', () => {
  it('restarts where nothing speaks against it, twice in one record', () => {
    expect(restartCourse(due)).to.deep.equal({ kind: 'restart', number: 1 });
    expect(restartCourse({ ...due, restarts: 1 })).to.deep.equal({ kind: 'restart', number: 2 });
  });

  for (const [when, change, why] of doubts)
    it(`powers off where ${when}`, () => {
      const course = restartCourse({ ...due, ...change });
      expect(course.kind).to.equal('powerOff');
      expect(course.kind === 'powerOff' && course.why).to.match(why);
    });

  it('says apart that power is out: the ordinary case', () => {
    const isPowerBack = (change: Partial<RestartFacts>) => {
      const course = restartCourse({ ...due, ...change });
      return course.kind === 'powerOff' ? course.isPowerBack : null;
    };
    expect(isPowerBack({ asking: [{ label: 'Office', isBack: false }], isEnabled: false })).to.equal(false);
    expect(isPowerBack({ isEnabled: false })).to.equal(true);
  });

  it('takes no notice of a UPS that neither feeds this host nor gives it a role', () => {
    for (const change of [
      { showsFsd: true },
      { isRead: false },
      { mayBeCut: true },
      { cyclesOnMains: true },
      { showsBattery: true },
    ])
      expect(restartCourse({ ...due, upses: [rack, { ...elsewhere, ...change }] }).kind).to.equal('restart');
  });

  it('stays up the third time', () => {
    const course = restartCourse({ ...due, restarts: 2 });
    expect(course.kind).to.equal('stayUp');
    expect(course.kind === 'stayUp' && course.why).to.match(/restarted 2 times since its last stay on line/);
  });

  it('stays up where the restart of this outage did not come', () => {
    expect(restartCourse({ ...due, notCome: 'no bus' })).to.deep.equal({ kind: 'stayUp', why: 'no bus' });
  });

  it('powers off in each doubt also the third time, and after a restart that did not come', () => {
    for (const [, change] of doubts)
      for (const change2 of [{ restarts: 2 }, { notCome: 'no bus' }])
        if (change.restarts === undefined)
          expect(restartCourse({ ...due, ...change2, ...change }).kind).to.equal('powerOff');
  });
});
