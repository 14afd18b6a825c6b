// The only table of NUT commands and variables that can take power from a load
// (specification/api-writes.md#power-cutting-names). Sources: NUT's docs/nut-names.txt, its drivers, reports of devices.
// No allowlist may name one, and the API refuses it.

export type ControlKind = 'command' | 'variable';

interface NamePattern {
  readonly of: ControlKind | 'both';
  readonly names: RegExp;
  /** The reason of the refusal, after "it"; null where the name cuts no power. */
  readonly why: string | null;
}

/** The optional prefix of a name: one device of a daisy chain, then one outlet or group of outlets. */
const part = String.raw`^(?:device\.\d+\.)?(?:outlet\.(?:group\.)?(?:\d+\.)?)?`;
const of = (name: string): RegExp => new RegExp(`${part}${name}$`);
const word = (words: string): RegExp => new RegExp(`(?:^|[^a-z])(?:${words})(?:$|[^a-z])`);

/**
 * The first entry that matches decides. The names of NUT come first, with their effect; then words, for names of no list
 * (`experimental.*`, a new driver): such a name is refused, since its effect is not known.
 */
const table: readonly NamePattern[] = [
  // Ends a countdown to a shutdown.
  { of: 'command', names: of(String.raw`shutdown\.stop`), why: null },
  { of: 'command', names: of(String.raw`shutdown(?:\..*)?`), why: 'switches the load off' },
  { of: 'command', names: of(String.raw`load\.off(?:\..*)?`), why: 'switches the load off' },
  { of: 'command', names: of(String.raw`load\.cycle(?:\..*)?`), why: 'switches the load off and on again' },
  {
    of: 'command',
    names: of(String.raw`driver\.killpower`),
    why: 'has the driver switch the load off',
  },
  // tripplite drivers: a "reset" starts a countdown of a minute, after which the UPS restarts its load.
  {
    of: 'both',
    names: /(?:^|\.)watchdog(?:$|\.(?!status$))/,
    why: 'starts a countdown on some devices, after which the load is switched off and on again',
  },
  // The UPS reads them when a shutdown begins; writing one begins none. The daemon itself sets ups.delay.shutdown and ups.delay.start.
  { of: 'variable', names: of(String.raw`(?:ups\.)?delay\.(?:shutdown|reboot)`), why: null },
  // Whether the UPS starts from its battery.
  { of: 'variable', names: of(String.raw`ups\.start\.reboot`), why: null },
  {
    of: 'variable',
    names: /(?:^|\.)timer\.(?:shutdown|reboot)$/,
    why: 'starts a countdown, after which the load is switched off',
  },
  { of: 'variable', names: /^(?:.*\.)?outlet(?:\..*)?\.switch$/, why: 'switches the outlet' },
  ...[
    /shut[-_]?down|re[-_]?boot|power[-_]?(?:off|down|cycle)|kill[-_]?power|stay[-_]?off/,
    word('cycle|switch|halt|hibernate'),
    // `beeper.off` and `display.off` switch no load.
    word('(?:load|outlet|output|power|ups|inverter|socket|bank|group)s?[^a-z]*(?:all[^a-z]+)?(?:off|down)'),
    word(
      '(?:load|outlet|output|inverter|socket)s?[^a-z]*(?:all[^a-z]+)?(?:toggle|shed|disable|restart|drop|cut)',
    ),
  ].map((names): NamePattern => ({
    of: 'both',
    names,
    why: 'has a name that suggests it switches something off',
  })),
];

/** Why a command or variable is refused over the API; null where it takes no power from a load. */
export function powerCut(kind: ControlKind, name: string): string | null {
  // NUT compares names without case.
  const folded = name.toLowerCase();
  const entry = table.find(
    ({ of: whose, names }) => (whose === 'both' || whose === kind) && names.test(folded),
  );
  return entry?.why ?? null;
}

export function cutsPower(kind: ControlKind, name: string): boolean {
  return powerCut(kind, name) !== null;
}
