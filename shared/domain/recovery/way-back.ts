// The way back of one machine after an outage, and what speaks against it (specification/recovery.md#check). Pure. It says what is
// known: whether a machine starts without a person cannot be seen from here.
import { formatSetting } from '../base/duration.js';
import { shellWord } from '../commands/shell-words.js';
import type { OutputReturn } from '../ups/output-return.js';
import type { CheckedMachine, DrilledMachine, DrillFinding, Finding, WayBack } from './recovery-check.js';

/** A UPS that feeds the machine. */
export interface Feed {
  /** Its groupId. */
  readonly ups: string;
  readonly label: string;
  /** From the command to the cut, by the plan that shuts the machine down; `late`: NUT's late hook cuts it; null: nothing does. */
  readonly cut: number | 'late' | null;
}

/** Which containers stay off, what HA keeps, whether the network card is armed. */
export type DrillQuestion = 'containers' | 'guests' | 'wake';

/** By the configuration alone. */
export interface Machine {
  /** Null: this host. */
  readonly server: string | null;
  readonly group: string;
  readonly groupLabel: string;
  readonly feeds: readonly Feed[];
  readonly wake: 'mac' | 'command' | null;
  /** Labels of those of its UPSes whose NUT server it is. */
  readonly isNutServerOf: readonly string[];
  /** Its off check is not `none`. */
  readonly isLookedAt: boolean;
  /** As which server a drill asks it; null: as this host. */
  readonly drilledAs: string | null;
  /** What a drill asks it of its way back. */
  readonly drillAsks: readonly DrillQuestion[];
  /** Its plan stops virtual machines or system containers on it. */
  readonly stopsGuests: boolean;
  /** This daemon starts again what its plan has stopped on it. */
  readonly startsGuests: boolean;
}

/** By the daemon and its drills. */
export interface KnownOfMachine {
  readonly proven: number | null;
  readonly drilled: DrilledMachine | undefined;
  /** Of a UPS whose output is cut. */
  readonly returnOf: (ups: string) => OutputReturn;
}

export function checkedMachine(machine: Machine, known: KnownOfMachine): CheckedMachine {
  const { server, group } = machine;
  return {
    ...{
      name: server ?? hostName,
      isHost: server === null,
      group,
      way: wayBackOf(machine),
    },
    ...{ evidence: evidenceOf(machine), proven: known.proven },
    drilled: known.drilled?.unixSeconds ?? null,
    findings: [
      ...configuredFindings(machine),
      ...outputFindings(machine, known),
      ...drillFindings(machine, known),
      ...provenFindings(machine, known),
    ],
  };
}

export const hostName = 'this host';

const warning = (kind: Finding['kind'], text: string, remedy: string): Finding => ({
  ...{ kind, level: 'warning', text, remedy },
});
const note = (kind: Finding['kind'], text: string, remedy: string): Finding => ({
  ...{ kind, level: 'note', text, remedy },
});

const namesOf = (feeds: readonly Feed[]): string => feeds.map(({ label }) => label).join(' and ');
const outputs = (feeds: readonly Feed[]): string =>
  `the ${feeds.length === 1 ? 'output' : 'outputs'} of ${namesOf(feeds)}`;
const isOrAre = ({ length }: readonly Feed[]): string => (length === 1 ? 'is' : 'are');

/** Those that keep it on standby power. It loses its power only with the last of its feeds. */
const uncut = ({ feeds }: Machine): readonly Feed[] => feeds.filter(({ cut }) => cut === null);

/** By the configuration; whether it takes that way cannot be seen from here. */
export function wayBackOf(machine: Machine): WayBack {
  if (machine.wake !== null) return 'wake';
  return uncut(machine).length === 0 ? 'by_itself' : 'never';
}

function evidenceOf(machine: Machine): string {
  const isCut = uncut(machine).length === 0;
  const power = isCut
    ? `its firmware is to start it with the power, when ${outputs(machine.feeds)} ${isOrAre(machine.feeds)} on again`
    : 'nothing but the end of the battery takes its power, with which its firmware could start it again';
  const ways = { mac: 'Wake-on-LAN', command: 'a command' };
  return machine.wake === null
    ? power
    : `${power}; ${ways[machine.wake]} is configured to wake it, which this version does not do`;
}

/** What the configuration alone shows. */
export function configuredFindings(machine: Machine): readonly Finding[] {
  return [staysOn, wakeAfterCut, nutServer, nobodyAwake, guests].flatMap((rule) => rule(machine));
}

/** libvirt-guests starts what ran when it stopped it; Proxmox, ESXi and XCP-ng what is marked for the boot. */
function guests({ stopsGuests, startsGuests }: Machine): readonly Finding[] {
  if (!stopsGuests || startsGuests) return [];
  return [
    note(
      'guests',
      'its plan stops its guests, and after its boot only those start that have autostart',
      'virsh autostart NAME, qm set ID --onboot 1 or its like, for each that is to run',
    ),
  ];
}

function staysOn(machine: Machine): readonly Finding[] {
  const on = uncut(machine);
  if (on.length === 0) return [];
  const isHost = machine.server === null;
  const text =
    `nothing cuts ${outputs(on)}, so it keeps its power after its shutdown: where mains is back before the battery is empty, ` +
    `it stays off until somebody starts it${isHost ? ', and this daemon sees nothing until then' : ''}`;
  return [
    warning(
      'output_stays_on',
      text,
      'set ups_output.off_after_shutdown = true, where the UPS can do that; else start it by hand',
    ),
  ];
}

function wakeAfterCut(machine: Machine): readonly Finding[] {
  if (machine.wake !== 'mac' || uncut(machine).length > 0) return [];
  return [
    warning(
      'wake_after_cut',
      `its wake is Wake-on-LAN, and ${outputs(machine.feeds)} ${isOrAre(machine.feeds)} cut before: some network cards lose with their standby power that they are to wake`,
      'let its firmware start it with the power, or wake it by a command that needs no network card of it (its BMC)',
    ),
  ];
}

function nutServer({ isNutServerOf }: Machine): readonly Finding[] {
  if (isNutServerOf.length === 0) return [];
  const names = isNutServerOf.join(' and ');
  return [
    warning(
      'nut_server',
      `it is the NUT server of ${names}, which feeds it: once it is off, ${names} can neither be read nor be told to cut its output, and until it is up again this daemon does not see that mains is back`,
      'let a machine be the NUT server that goes last, such as this host',
    ),
  ];
}

/** Between the power-off and the cut: a UPS that is told to cut and sees mains may leave its output on. */
function nobodyAwake(machine: Machine): readonly Finding[] {
  if (machine.server !== null || uncut(machine).length > 0) return [];
  const seconds = Math.max(...machine.feeds.map(({ cut }) => (typeof cut === 'number' ? cut : 0)));
  const when =
    seconds > 0
      ? `within ${formatSetting(seconds)} of the power-off`
      : 'after the power-off, before the late hook of NUT has cut the power';
  return [
    note(
      'nobody_awake',
      `if mains returns ${when} and the UPS then leaves its output on, this host stays off, and nobody is awake`,
      'try it once: plug the UPS in again before the cut, and see whether the output goes off and comes back',
    ),
  ];
}

const tryOnce = 'docs/local-shutdown.md, "Does it come back?", says what to set and how to try it';

function outputFindings({ feeds }: Machine, { returnOf }: KnownOfMachine): readonly Finding[] {
  return feeds.flatMap(({ ups, label, cut }): readonly Finding[] => {
    if (typeof cut !== 'number') return [];
    const { verdict, reason } = returnOf(ups);
    const what = `the output of ${label}, which feeds it,`;
    if (verdict === 'may_not_return')
      return [warning('output', `${what} may not come back: ${reason}`, tryOnce)];
    if (verdict === 'unknown')
      return [note('output', `it is not known whether ${what} comes back: ${reason}`, tryOnce)];
    return [];
  });
}

const remedies: Readonly<Record<DrillFinding['kind'], string>> = {
  containers: 'give them the restart policy always, or start them by hand',
  guests:
    'ha-manager set ID --state started for each, once its node is up; this daemon does not set states of HA',
  wake: 'ethtool -s CARD wol g, and keep it over boots (WakeOnLan=magic in systemd.link(5))',
  mac: 'correct wake.mac of the server',
  not_asked: 'look by hand',
};

const questions: Readonly<Record<DrillQuestion, string>> = {
  containers: 'which of its containers stay off',
  guests: 'which of its guests HA keeps started',
  wake: 'whether its network card is armed',
};

function drillFindings(
  { groupLabel, drillAsks, startsGuests }: Machine,
  { drilled }: KnownOfMachine,
): readonly Finding[] {
  if (drilled === undefined) {
    if (drillAsks.length === 0) return [];
    const asked = drillAsks.map((question) => questions[question]).join(', ');
    return [
      note(
        'not_asked',
        `no drill has asked it since this host booted ${asked}`,
        `as root, a drill, which shuts nothing down: ridethrough shutdown group --group ${shellWord(groupLabel)}`,
      ),
    ];
  }
  return drilled.findings
    .filter(({ kind }) => kind !== 'containers' || !startsGuests)
    .map(({ kind, text }) => (kind === 'not_asked' ? note : warning)(kind, text, remedies[kind]));
}

function provenFindings({ isLookedAt }: Machine, { proven }: KnownOfMachine): readonly Finding[] {
  if (proven !== null) return [];
  return isLookedAt
    ? [
        note(
          'never_proven',
          'never proven: it was never seen up again after an outage in which it was shut down',
          'pull the plug once while you are there',
        ),
      ]
    : [
        note(
          'never_proven',
          'never proven, and cannot be: with off_check = "none" nothing looks whether it is up',
          'set off_check, or look by hand after each outage',
        ),
      ];
}
