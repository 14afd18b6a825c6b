// The conditions in which the tests must pass: what clock and zone the machine shows, what else it does, and who plays them.
// Pure.

/** Passed to scripts/test.sh. */
export type Level = 'units' | 'default' | 'all';

export interface Condition {
  /** Unique. */
  readonly name: string;
  readonly level: Level;
  /** Null: the clock of this machine. With its offset from UTC: an hour that comes twice has two. */
  readonly begins: string | null;
  readonly zone: string;
  /** Busy loops beside it. */
  readonly loops: number;
  readonly isOrdinaryUser: boolean;
}

const [berlin, newYork] = ['Europe/Berlin', 'America/New_York'];

/** The unit tests take some minutes, so that those which begin shortly before a change go through it. */
const changes: readonly (readonly [zone: string, begins: string, what: string])[] = [
  [berlin, '2027-03-28T01:15:00+01:00', 'the hour before summer time'],
  [berlin, '2027-03-28T01:59:00+01:00', 'into summer time'],
  [berlin, '2027-03-28T03:05:00+02:00', 'after the hour that does not exist'],
  [berlin, '2027-10-31T01:59:00+02:00', 'into the hour that comes twice'],
  [berlin, '2027-10-31T02:30:00+02:00', 'in the hour that comes twice'],
  [berlin, '2027-10-31T02:59:00+02:00', 'out of summer time'],
  [berlin, '2027-10-31T02:30:00+01:00', 'in the hour that came twice'],
  [newYork, '2027-03-14T01:15:00-05:00', 'the hour before summer time'],
  [newYork, '2027-03-14T01:59:00-05:00', 'into summer time'],
  [newYork, '2027-03-14T03:05:00-04:00', 'after the hour that does not exist'],
  [newYork, '2027-11-07T00:59:00-04:00', 'into the hour that comes twice'],
  [newYork, '2027-11-07T01:30:00-04:00', 'in the hour that comes twice'],
  [newYork, '2027-11-07T01:59:00-04:00', 'out of summer time'],
  [newYork, '2027-11-07T01:30:00-05:00', 'in the hour that came twice'],
];

const zones: readonly (readonly [zone: string, offset: string])[] = [
  ['UTC', '+00:00'],
  ['Asia/Kolkata', '+05:30'],
  ['America/Los_Angeles', '-08:00'],
  ['Pacific/Apia', '+13:00'],
];

const units = (zone: string, begins: string, what: string): Condition => ({
  name: `units, ${zone}, ${begins.slice(0, 19)}: ${what}`,
  level: 'units',
  begins,
  zone,
  loops: 0,
  isOrdinaryUser: false,
});

export const unitConditions: readonly Condition[] = [
  ...changes.map((change) => units(...change)),
  units(berlin, '2026-12-31T23:59:20+01:00', 'into a year'),
  ...zones.map(([zone, offset]) => units(zone, `2026-12-31T23:59:20${offset}`, 'into a year')),
  units(berlin, '2028-02-28T23:59:20+01:00', 'into 29 February'),
  ...zones.map(([zone, offset]) => units(zone, `2028-02-29T12:30:00${offset}`, '29 February')),
  ...[0, 1, 2, 3, 4, 5].map((tens) =>
    units(
      'UTC',
      `2027-06-15T12:${String(tens)}9:59+00:00`,
      'a second before ten minutes or an hour are full',
    ),
  ),
];

export const wholeConditions: readonly Condition[] = (
  [
    [berlin, '2027-03-28T01:57:00+01:00', 0, false],
    [newYork, '2027-11-07T00:57:00-04:00', 4, false],
    ['UTC', '2026-12-31T23:57:00+00:00', 0, true],
    ['Asia/Kolkata', '2028-02-29T11:58:00+05:30', 16, false],
    ['America/Los_Angeles', '2028-02-28T23:57:00-08:00', 4, true],
    ['Pacific/Apia', '2027-06-15T12:57:00+13:00', 0, false],
  ] as const
).map(([zone, begins, loops, isOrdinaryUser]) => ({
  name: `scripts/test.sh, ${zone}, ${begins.slice(0, 19)}, ${isOrdinaryUser ? 'ordinary user' : 'this user'}, ${String(loops)} loops`,
  level: 'default',
  begins,
  zone,
  loops,
  isOrdinaryUser,
}));

/** The same run again and again, by the clock of this machine. */
export function repeated(level: Level, runs: number, loops: number): readonly Condition[] {
  return Array.from({ length: runs }, (_, run) => ({
    name: `scripts/test.sh${level === 'default' ? '' : ` --${level}`}, ${String(loops)} loops, run ${String(run + 1)}`,
    level,
    begins: null,
    zone: process.env['TZ'] ?? '',
    loops,
    isOrdinaryUser: false,
  }));
}
