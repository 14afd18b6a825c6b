// The texts about status words, where a UPS gives none, too many, or two at once.
import { expect } from 'chai';
import { worded } from '../../../../supervisor/policy/view/events.js';
import { statusWordFact } from '../../../../supervisor/policy/view/ups-facts.js';
import type { StatusReport } from '../../../../supervisor/policy/power/status-reports.js';
import { reading, settingsOf, Stepper } from '../stream.js';

function textsOf(stepper: Stepper, type: string): readonly string[] {
  return stepper.effects.flatMap((one) => {
    if (one.kind === 'notify') return one.type === type ? [one.text] : [];
    return one.kind === 'recordEvent' && one.type === type ? [one.detail] : [];
  });
}

describe('the text of a status word', () => {
  const [policy] = settingsOf('ups a').ups;
  const details = (report: StatusReport, alarm = '') => {
    const fact = statusWordFact(report, alarm);
    const effects = fact === null || policy === undefined ? [] : worded(fact, policy);
    return effects.map((one) => (one.kind === 'recordEvent' ? one.detail : ''));
  };

  it('says so where an alarm has no text', () => {
    expect(details({ kind: 'began', word: 'ALARM' })[0]).to.equal('the UPS gives no text (ups.alarm)');
    expect(details({ kind: 'began', word: 'ALARM' }, 'fan')[0]).to.equal('fan');
    expect(details({ kind: 'alarmChanged' })).to.deep.equal(['the alarm now says: nothing']);
    expect(details({ kind: 'alarmChanged' }, 'fan')).to.deep.equal(['the alarm now says: fan']);
  });

  it('says at the last unknown word that no further one is reported', () => {
    const unknown = (isLast: boolean) => details({ kind: 'unknown', word: 'W', isLast })[0];
    const text =
      'ups.status has the word W, which NUT does not define; the daemon shows it and does nothing else';
    expect(unknown(false)).to.equal(text);
    expect(unknown(true)).to.equal(`${text}; further unknown words of this UPS are not reported`);
  });
});

describe('the text of an unknown source of power', () => {
  it('is told at the first reading and when OL stands alone', () => {
    const good = { chargePercent: 100, runtimeSeconds: 3_000 };
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL OB', good), 3);
    const [detail, text] = textsOf(stepper, 'POWER_SOURCE_CONTRADICTED');
    expect(detail).to.equal('the status has both OL and OB, and charge and runtime do not fall');
    expect(text).to.contain('a shows line power (OL) and battery (OB) at once since the first reading');
    stepper.polls('a', reading('OL', good), 2);
    expect(textsOf(stepper, 'POWER_SOURCE_PLAUSIBLE')).to.deep.equal(['the status has OL without OB']);
  });
});
