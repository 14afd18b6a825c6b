// The only table of NUT commands and variables that can take power from a load
// (specification/api-writes.md#power-cutting-names). Sources: NUT's docs/nut-names.txt, its drivers, reports of devices.
// No allowlist may name one, and the API refuses it.

export type ControlKind = 'command' | 'variable';

interface Entry {
  readonly of: ControlKind | 'both';
  readonly names: RegExp;
  /** Why it is refused, after "it"; null where it takes no power. */
  readonly why: string | null;
}

/** What may stand before a name: one device of a daisy chain, then one outlet or group of outlets. */
const part = String.raw`^(?:device\.\d+\.)?(?:outlet\.(?:group\.)?(?:\d+\.)?)?`;
const of = (name: string): RegExp => new RegExp(`${part}${name}$`);
const word = (words: string): RegExp => new RegExp(`(?:^|[^a-z])(?:${words})(?:$|[^a-z])`);

/**
 * The first entry that fits decides. The names NUT has come first, with what they do; then words, for names that no list
 * has (`experimental.*`, a new driver): refused in doubt, since it is not known what such a name does.
 */
const table: readonly Entry[] = [
  // It ends a shutdown that counts down.
  { of: 'command', names: of(String.raw`shutdown\.stop`), why: null },
  { of: 'command', names: of(String.raw`shutdown(?:\..*)?`), why: 'switches the load off' },
  { of: 'command', names: of(String.raw`load\.off(?:\..*)?`), why: 'switches the load off' },
  { of: 'command', names: of(String.raw`load\.cycle(?:\..*)?`), why: 'switches the load off and on again' },
  {
    of: 'command',
    names: of(String.raw`driver\.killpower`),
    why: 'has the driver switch the load off',
  },
  // tripplite drivers: what is called a reset starts a countdown of a minute, at whose end the UPS restarts its load.
  {
    of: 'both',
    names: /(?:^|\.)watchdog(?:$|\.(?!status$))/,
    why: 'starts a countdown on some devices, at whose end the load is switched off and on again',
  },
  // Read when a shutdown begins; writing one begins none. The daemon itself sets ups.delay.shutdown beforehand.
  { of: 'variable', names: of(String.raw`(?:ups\.)?delay\.(?:shutdown|reboot)`), why: null },
  // Whether the UPS starts from its battery.
  { of: 'variable', names: of(String.raw`ups\.start\.reboot`), why: null },
  {
    of: 'variable',
    names: /(?:^|\.)timer\.(?:shutdown|reboot)$/,
    why: 'is a countdown: writing it starts one, and at its end the load is switched off',
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
  ].map((names): Entry => ({ of: 'both', names, why: 'has a name that says it switches something off' })),
];

/** Why a command must not be run, or a variable not be written, from outside; null where it takes no power from a load. */
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
