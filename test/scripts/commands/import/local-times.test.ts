import { expect } from 'chai';
import { LocalTimes } from '../../../../scripts/commands/import/upslog/local-times.js';
import { timeOf } from '../../../../scripts/commands/import/upslog/time-format.js';
import { withTimeZone } from '../../../fixtures/time-zone.js';

/** "2026-10-25 02:30:00" */
function read(text: string) {
  const [, year, month, day, hour, minute, second] = /^(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)$/.exec(text) ?? [];
  const time = timeOf({ year, month, day, hour, minute, second });
  if (time === null) throw new Error(text);
  return time;
}

describe('local times of a log', () => {
  /** The Unix times of the lines, one after the other, as UTC. */
  const utcOf = (timeZone: string, lines: readonly string[]): readonly (string | null)[] =>
    withTimeZone(timeZone, () => {
      const times = new LocalTimes();
      let previous = -Infinity;
      return lines.map((line) => {
        const at = times.at(read(line), previous);
        if (at === null) return null;
        previous = at;
        return new Date(at * 1000).toISOString().slice(11, 19);
      });
    });

  it('are in the doubled hour what the order of the lines says', () => {
    const lines = [
      '01:59:30',
      '02:00:00',
      '02:30:00',
      '02:59:30',
      '02:00:00',
      '02:30:00',
      '02:59:30',
      '03:00:00',
    ];
    expect(
      utcOf(
        'Europe/Berlin',
        lines.map((time) => `2026-10-25 ${time}`),
      ),
    ).to.deep.equal([
      ...['23:59:30', '00:00:00', '00:30:00', '00:59:30', '01:00:00', '01:30:00', '01:59:30', '02:00:00'],
    ]);
  });

  it('go back by some minutes in the doubled hour when the clock was set back, and by half an hour where a zone does', () => {
    const lines = ['02:10:00', '02:05:00', '02:50:00', '02:01:00', '02:59:00'];
    expect(
      utcOf(
        'Europe/Berlin',
        lines.map((time) => `2026-10-25 ${time}`),
      ),
    ).to.deep.equal([...['00:10:00', '00:05:00', '00:50:00', '01:01:00', '01:59:00']]);
    const lordHowe = ['01:29:30', '01:30:00', '01:59:00', '01:30:30', '01:59:30', '02:00:00'];
    expect(
      utcOf(
        'Australia/Lord_Howe',
        lordHowe.map((time) => `2026-04-05 ${time}`),
      ),
    ).to.deep.equal([...['14:29:30', '14:30:00', '14:59:00', '15:00:30', '15:29:30', '15:30:00']]);
  });

  it('do not exist in the hour that is skipped', () => {
    const lines = ['01:59:59', '02:30:00', '03:00:00'];
    expect(
      utcOf(
        'America/New_York',
        lines.map((time) => `2026-03-08 ${time}`),
      ),
    ).to.deep.equal(['06:59:59', null, '07:00:00']);
  });

  it('are all found again in a year with both changes', () =>
    withTimeZone('Europe/Berlin', () => {
      const times = new LocalTimes();
      const two = (value: number) => String(value).padStart(2, '0');
      let previous = -Infinity;
      for (let at = Date.UTC(2024, 0, 1) / 1000; at < Date.UTC(2025, 0, 1) / 1000; at += 617) {
        const local = new Date(at * 1000);
        const day = [local.getFullYear(), two(local.getMonth() + 1), two(local.getDate())].join('-');
        const clock = [local.getHours(), local.getMinutes(), local.getSeconds()].map(two).join(':');
        previous = times.at(read(`${day} ${clock}`), previous) ?? NaN;
        expect(previous, `${day} ${clock}`).to.equal(at);
      }
    }));
});
