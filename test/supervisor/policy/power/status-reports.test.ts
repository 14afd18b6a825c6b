import { expect } from 'chai';
import type { StatusReport, StatusReports } from '../../../../supervisor/policy/power/status-reports.js';
import {
  alarmText,
  noStatusReports,
  reportableWords,
  sameStatusReports,
  statusReports,
  statusReportsAfter,
} from '../../../../supervisor/policy/power/status-reports.js';

/** Of usbhid-ups: its `pollinterval`. */
const holdMs = 2_000;

/** Reads `words` every second from `fromMs` on. */
class Reader {
  state: StatusReports = noStatusReports;
  readonly reports: StatusReport[] = [];
  nowMs = 0;

  read(words: string, alarm?: string, times = 1): this {
    for (let reading = 0; reading < times; reading += 1) {
      const variables = alarm === undefined ? {} : { 'ups.alarm': alarm };
      const after = statusReportsAfter(
        this.state,
        words.split(' '),
        variables,
        holdMs,
        this.nowMs,
        this.nowMs,
      );
      this.reports.push(...statusReports(this.state, after));
      this.state = after;
      this.nowMs += 1000;
    }
    return this;
  }
}

describe('the reports of status words', () => {
  it('report an RB that is shown again within its hold and 30 s, as one', () => {
    const again = (seconds: number) =>
      new Reader()
        .read('OL RB')
        .read('OL', undefined, seconds - 1)
        .read('OL RB').reports;
    expect(again(31)).to.deep.equal([{ kind: 'began', word: 'RB' }]);
    expect(again(32)).to.deep.equal([]);
  });

  it('report a word that flaps every few seconds for a day once', () => {
    const reader = new Reader();
    for (let second = 0; second < 86_400; second += 8)
      reader.read('OL ECO', undefined, 4).read('OL', undefined, 4);
    expect(reader.reports).to.deep.equal([{ kind: 'began', word: 'ECO' }]);
  });

  for (const word of ['OVER', 'BYPASS', 'RB'] as const)
    it(`report a ${word} that comes and goes once, and its end after 30 s without it`, () => {
      const reader = new Reader();
      for (let second = 0; second < 60; second += 2) reader.read(`OL ${word}`).read('OL');
      reader.read('OL', undefined, 28);
      expect(reader.reports).to.deep.equal([{ kind: 'began', word }]);
      reader.read('OL');
      expect(reader.reports).to.deep.equal([
        { kind: 'began', word },
        { kind: 'ended', word },
      ]);
    });

  it('report no RB of a single sample, however often one comes, and a lasting one after its hold', () => {
    const reader = new Reader();
    for (let hour = 0; hour < 24; hour += 1)
      reader.read('OL LB RB', undefined, 3).read('OL', undefined, 3_597);
    expect(reader.reports).to.deep.equal([]);
    expect(reader.read('OL RB', undefined, 3).reports).to.deep.equal([]);
    expect(reader.read('OL RB').reports).to.deep.equal([{ kind: 'began', word: 'RB' }]);
  });

  it('report an RB that is read every 30 s at its second reading', () => {
    const reader = new Reader().read('OL RB');
    reader.nowMs = 30_000;
    expect(reader.read('OL RB').reports).to.deep.equal([{ kind: 'began', word: 'RB' }]);
  });

  it('report OFF beside OL after 30 s, OFF alone at once, and neither where it is none', () => {
    const told = (words: string, offSinceMs: number | null, before = noStatusReports) =>
      reportableWords(before, words.split(' '), offSinceMs, 40_000);
    expect(told('OL OFF', 10_001)).to.deep.equal(['OL']);
    expect(told('OL OFF', 10_000)).to.deep.equal(['OL', 'OFF']);
    expect(told('OFF', 40_000)).to.deep.equal(['OFF']);
    expect(told('OFF', null)).to.deep.equal([]);
    expect(told('OL OFF', 40_000, new Reader().read('OFF').state)).to.deep.equal(['OL', 'OFF']);
  });

  it('report an alarm whose text changes with every reading at most once a minute', () => {
    const reader = new Reader();
    for (let second = 0; second < 3_600; second += 1) reader.read('OL ALARM', `count ${String(second)}`);
    expect(reader.reports.filter(({ kind }) => kind === 'began')).to.have.length(1);
    expect(reader.reports.filter(({ kind }) => kind === 'alarmChanged')).to.have.length(59);
  });

  it('remember no more than twenty unknown words, and say so at the last', () => {
    const reader = new Reader();
    for (let word = 0; word < 500; word += 1) reader.read(`OL W${String(word)}`);
    reader.read(`OL ${Array.from({ length: 100 }, (_, index) => `X${String(index)}`).join(' ')}`);
    const atOnce = new Reader().read(
      Array.from({ length: 100 }, (_, index) => `X${String(index)}`).join(' '),
    );
    expect(atOnce.reports).to.have.length(20);
    expect(reader.reports).to.have.length(20);
    expect(reader.reports.at(-1)).to.deep.equal({ kind: 'unknown', word: 'W19', isLast: true });
    expect(reader.state.unknown).to.have.length(20);
  });

  it('change nothing while the words stay quiet, or name unknown words again', () => {
    const reader = new Reader().read('OL CHRG');
    expect(reader.state).to.equal(noStatusReports);
    const { state } = reader.read('OL W0');
    expect(reader.read('OL W0').state).to.equal(state);
  });

  it('change nothing by an unknown word after the twentieth', () => {
    const many = Array.from({ length: 20 }, (_, index) => `W${String(index)}`);
    const reader = new Reader().read(many.join(' '));
    const { state } = reader;
    expect(reader.read('W20').read('W0').state).to.equal(state);
  });

  it('report another text of an alarm from a minute on', () => {
    const texts = (secondMs: number) => {
      const reader = new Reader().read('OL ALARM', 'fan');
      reader.nowMs = secondMs;
      return reader.read('OL ALARM', 'battery').reports.map(({ kind }) => kind);
    };
    expect(texts(59_999)).to.deep.equal(['began']);
    expect(texts(60_000)).to.deep.equal(['began', 'alarmChanged']);
  });

  it('report no other text where ALARM is missing in a reading', () => {
    const reader = new Reader();
    for (let second = 0; second < 90; second += 2) reader.read('OL ALARM', 'fan').read('OL', 'fan');
    expect(reader.reports.map(({ kind }) => kind)).to.deep.equal(['began']);
  });

  it('report the end of an alarm once, and the next alarm as a new one', () => {
    const reader = new Reader().read('OL ALARM', 'fan').read('OL', undefined, 90);
    reader.read('OL ALARM', 'battery');
    expect(reader.reports.map(({ kind }) => kind)).to.deep.equal(['began', 'ended', 'began']);
  });
});

describe('two states of the reports', () => {
  const shown = new Reader().read('OL ECO ALARM W0', 'fan').state;

  it('have one snapshot while a word is only shown again', () => {
    const again = new Reader().read('OL ECO').state;
    expect(sameStatusReports(new Reader().read('OL ECO', undefined, 2).state, again)).to.equal(true);
  });

  it('have one snapshot each where one has reported another word, text or unknown word', () => {
    const alone = new Reader().read('OL ECO').state;
    expect(sameStatusReports(noStatusReports, alone)).to.equal(false);
    expect(sameStatusReports(alone, noStatusReports)).to.equal(false);
    expect(sameStatusReports(shown, { ...shown, alarm: { text: 'battery', reportedMs: 0 } })).to.equal(false);
    expect(sameStatusReports(shown, { ...shown, unknown: ['W0', 'W1'] })).to.equal(false);
    const { shownMs } = shown;
    expect(sameStatusReports(shown, { ...shown, shownMs: { ...shownMs, CAL: 0 } })).to.equal(false);
  });
});

describe('the text of an alarm', () => {
  const textOf = (text: string, words = 'OL ALARM'): string =>
    alarmText(words.split(' '), { 'ups.alarm': text });

  it('is one line of at most 300 characters, without control and format characters', () => {
    expect(textOf(' Replace\tbattery!\r\n  Fan\u0007 failed \u202Eevil ')).to.equal(
      'Replace battery! Fan? failed ?evil',
    );
    expect(textOf('x'.repeat(5_000))).to.have.length(300);
    expect(textOf(`${'x'.repeat(299)}\u{1F50B}`)).to.have.length(299);
  });

  it('is empty without ALARM or without a text', () => {
    expect(textOf('an old text', 'OL')).to.equal('');
    expect(alarmText(['ALARM'], {})).to.equal('');
  });
});
