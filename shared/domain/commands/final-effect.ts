// What a final command does in place of a power-off at once, as far as that is known of its program. For warnings: an unknown
// command counts as a power-off. Pure.
import { finalProgram, programName, simpleCommands } from './command-words.js';
import { argumentsOf, isOfWindows, letterOf } from './shutdown-line.js';

/** What a line of a shell does in place of a power-off; null where one of its commands powers off, or does nothing known. */
export function lineInsteadOfPowerOff(line: string): string | null {
  const commands = simpleCommands(line);
  if (poweringOff(commands).length > 0) return null;
  if (/\becho ['"]?b['"]? ?> ?\/proc\/sysrq-trigger\b/.test(line)) return restarts('sysrq b');
  const active = commands.filter((words) => !isIdle(words));
  // What echo writes may power off where it goes: `echo o > /proc/sysrq-trigger`.
  const counted = active.length === 0 && !line.includes('>') ? commands : active;
  return counted.map(insteadOfPowerOff).find((effect) => effect !== null) ?? null;
}

/** What a line of a shell does in place of a restart; null where a command of it restarts the machine, or does nothing known. */
export function lineInsteadOfRestart(line: string): string | null {
  if (poweringOff(simpleCommands(line)).length > 0) return 'powers the machine off';
  const effect = lineInsteadOfPowerOff(line);
  return effect?.includes(restartsMachine) === true ? null : effect;
}

const poweringOff = (commands: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  commands.filter((words) => insteadOfPowerOff(words) === null && isOfPower(finalProgram(words)));

/** What follows where each power-off among these commands is only planned for later; null otherwise. */
export function powersOffLater(commands: readonly (readonly string[])[]): string | null {
  const delays = poweringOff(commands).map(delayOf);
  const [delay = null] = delays;
  if (delay === null || delays.includes(null)) return null;
  const { until, instead } = delay;
  return `ends at once with exit code 0, which counts as a power-off, and the machine stays up on battery ${until}; ${instead}`;
}

/** What shutdown may do without an option for its action; null where no command of the line lacks one. systemd powers off. */
export function singleUserIn(line: string): string | null {
  const lacks = simpleCommands(line).some((words) => {
    const given = argumentsOf(words);
    return given?.program === 'shutdown' && !/[rKpPhHck?]/.test(given.letters.join(''));
  });
  return lacks
    ? 'gives shutdown neither -h nor -P: with systemd that powers off, but with sysvinit and on the BSDs the machine stays on, in single-user mode; write -h'
    : null;
}

/** Null for a power-off at once. */
function delayOf(command: readonly string[]): { readonly until: string; readonly instead: string } | null {
  // Of systemctl and systemd-run.
  const [, option, when = ''] = / (--(?:when|on-[a-z-]+))[= ](\S+)/.exec(command.join(' ')) ?? [];
  // Some seconds let the login end first.
  if (option !== undefined && !/^(?:now|\+?[0-5]?\d(?:s|sec)?)$/.test(when))
    return { until: `until the time of ${option}`, instead: `leave ${option} out` };
  const bare = finalProgram(command);
  const seconds = / [/-]t (\d+)\b/i.exec(bare.join(' '))?.[1];
  if (programName(bare[0] ?? '') === 'shutdown' && isOfWindows(bare) && Number(seconds) >= 60)
    return { until: `for ${String(seconds)} s`, instead: `write 0 in place of ${String(seconds)}` };
  const given = argumentsOf(command);
  const time = given?.hasTime === true ? (command[given.timeAt] ?? '') : 'now';
  if (/^(?:now|\+?0+)$/.test(time)) return null;
  const until = time.includes(':') ? `until ${time}` : `for ${time.replace('+', '')} min`;
  return { until, instead: `write now in place of ${time}` };
}

const isOfPower = ([program = '', ...words]: readonly string[]): boolean =>
  /^(?:(?:[\w-]+-)?shutdown|poweroff|halt|reboot|synoshutdown|stop-computer|(?:tel|runit-)?init 0|(?:system|login|init)ctl .*poweroff|s6-linux-init-hpr|esxcli .*poweroff|ipmitool .*power (?:off|soft)|.*Manager[. ]PowerOff)\b/.test(
    [programName(program), ...words].join(' '),
  );

/** What it does in place of a power-off; null where it powers off, or where another program runs. */
export function insteadOfPowerOff(command: readonly string[]): string | null {
  const [program = '', ...words] = finalProgram(command);
  const name = programName(program);
  if (isIdle(command)) return doesNot(name);
  if (/^(?:poweroff|halt|reboot)$/.test(name)) return insteadOfHalt(name, words);
  if (/^(?:system|login)ctl$/.test(name)) return insteadOfUnit(name, words);
  const level = /^(?:tel|runit-)?init$/.test(name) ? (words.at(-1) ?? '') : '';
  if (level === '6') return restarts(`${name} 6`);
  // On illumos 5 is the power-off.
  if (/^[1-5a-csqu]$/i.test(level)) return doesNot(`${name} ${level}${level === '5' ? ' of Linux' : ''}`);
  // Windows has no time there, and macOS sleeps.
  if (name === 'shutdown' && words.includes('-s') && words.some((word) => /^(?:now|\+\d+)$/.test(word)))
    return doesNot('shutdown -s of macOS');
  if (name === 'shutdown' && isOfWindows([program, ...words])) return insteadOfWindows(words);
  const given = argumentsOf(command);
  return given === null ? insteadOfOther(name, words) : insteadOfShutdown(given);
}

function insteadOfShutdown({ program, letters }: NonNullable<ReturnType<typeof argumentsOf>>): string | null {
  const isOpenrc = program === 'openrc-shutdown';
  if (letters.includes('c')) return `with -c ${program} cancels a shutdown and powers nothing off`;
  if (letters.includes('?')) return `with --help, --show or --dry-run ${program} powers nothing off`;
  // Its -h is the help.
  const idle = isOpenrc ? letters.find((letter) => 'DRswh'.includes(letter)) : undefined;
  if (idle !== undefined) return doesNot(`${program} -${idle}`);
  if (!isOpenrc && letters.includes('k'))
    return `with -k ${program} only writes its message and powers nothing off`;
  // The last of them counts, but -h leaves -H as it is.
  const action = letters.reduce(
    (one, letter) => (!'rKpPhH'.includes(letter) || (letter === 'h' && one === 'H') ? one : letter),
    isOpenrc ? '' : 'P',
  );
  if (action === '') return doesNot(`${program} without -p`);
  if (action === 'H') return halts(`with -H ${program}`);
  return action === 'r' || action === 'K' ? restarts(`with -${action} ${program}`) : null;
}

/** Its letters stand alone: `/r /t 0`. */
function insteadOfWindows(words: readonly string[]): string | null {
  const letters = words.map((word) => /^[/-](sg|[a-z])$/i.exec(word)?.[1]?.toLowerCase());
  const shown = (letter: string): string => `shutdown /${letter} of Windows`;
  if (letters.includes('a')) return doesNot(shown('a'));
  const action = letters.find((letter) => letter !== undefined && 'rghlikeo'.includes(letter));
  if (action === undefined || letters.includes('s') || letters.includes('p')) return null;
  return action === 'r' || action === 'g' || action === 'o'
    ? restarts(shown(action))
    : doesNot(shown(action));
}

const dbusTools = '(?:dbus-send|busctl|gdbus|qdbus\\d*) .*Manager[. ]';

/** Other programs with their words. The group is shown with the name of the program. */
const others: readonly (readonly [form: RegExp, effect: (what: string) => string])[] = [
  [/^ipmitool .*\b(power (?:cycle|reset))$/, restarts],
  [/^ipmitool .*\b(power (?:on|status|diag))$/, doesNot],
  [/^synoshutdown .*?(-r|--reboot)\b/, restarts],
  [/^s6-linux-init-hpr .*?(-r)\b/, restarts],
  [/^s6-linux-init-hpr .*?(-h)\b/, halts],
  [new RegExp(`^${dbusTools}((?:Soft)?Reboot\\w*)`, 'i'), restarts],
  [new RegExp(`^${dbusTools}(Halt\\w*)`, 'i'), halts],
  [
    new RegExp(`^${dbusTools}(Suspend\\w*|Hibernate\\w*|HybridSleep\\w*|Sleep|Can\\w+|Cancel\\w+)`, 'i'),
    doesNot,
  ],
  [/^esxcli .*\b(shutdown reboot)\b/, restarts],
  [/^(?:midclt|initctl|xe|system)(?: .*)? ((?:system\.|host-)?reboot)\b/, restarts],
  [/^restart-computer()\b/, restarts],
  [/^midclt call (?:-\S+ )*(system\.shutdown)$/, refused],
  [/^pvesh .*--?(command[= ]reboot)\b/, restarts],
  // Home Assistant OS, OPNsense, UniFi, Talos; pfSense and OPNsense; Unraid; Sysinternals.
  [/^(?:ha|configctl|ubnt-systool|talosctl)(?: .*)? (reboot)\b/, restarts],
  [/^rc\.reboot()\b/, restarts],
  [/^powerdown .*?(-r)\b/, restarts],
  [/^psshutdown .*?([-/]r)\b/i, restarts],
  [/^psshutdown .*?([-/](?:d|h|l|o|x|a))\b/i, doesNot],
  // The service processors of Dell and HPE.
  [/^racadm .*\b(powercycle|hardreset)\b/i, restarts],
  [/^racadm .*\b(powerstatus|powerup)\b/i, doesNot],
  [/^power (reset)\b/, restarts],
  [/^kexec (?:.* )?(-e|--exec)\b/, restarts],
  [/^osascript .*\bto (restart)\b/i, restarts],
  [/^osascript .*\bto (sleep|log out)\b/i, doesNot],
  [/^pmset .*\b(sleepnow)\b/, doesNot],
  [/^acpiconf .*(-s ?[1-4])\b/, doesNot],
  [/^rundll32 .*\b(setsuspendstate)\b/i, doesNot],
  [/^pvenode ((?:stop|start|migrate)all)\b/, doesNot],
  [/^rtcwake .*(-m (?:mem|standby|freeze|disk|no|on|show|disable))\b/, doesNot],
  [/^(?:pm-suspend|pm-hibernate|pm-suspend-hybrid|zzz)()(?: |$)/, doesNot],
];

function insteadOfOther(name: string, words: readonly string[]): string | null {
  const text = [name, ...words].join(' ');
  for (const [form, effect] of others) {
    const found = form.exec(text);
    if (found !== null) return effect(`${name} ${found[1] ?? ''}`.trim());
  }
  return null;
}

function isIdle(command: readonly string[]): boolean {
  const [program = ''] = finalProgram(command);
  return /^(?:true|echo|:|exit|logout|quit|sync|sleep|wall|logger)$/.test(programName(program));
}

/** Of systemd and sysvinit. */
function insteadOfHalt(name: string, words: readonly string[]): string | null {
  const letters = words.flatMap((word) =>
    /^-\w+$/.test(word) ? [...word.slice(1)] : word === '--wtmp-only' ? ['w'] : letterOf(word),
  );
  if (letters.includes('w')) return `with -w ${name} only writes a record and powers nothing off`;
  const action = letters.findLast((letter) => 'HPpr'.split('').includes(letter));
  if (action === 'H') return halts(`with --halt ${name}`);
  if (name === 'reboot') return restarts(action === undefined ? name : `with systemd ${name} -p`);
  if (action === 'r') return restarts(`with --reboot ${name}`);
  return name === 'halt' && action === undefined ? halts('halt without -p') : null;
}

/** Of units. */
const otherNames: Readonly<Record<string, string>> = {
  runlevel0: 'poweroff',
  runlevel6: 'reboot',
  'ctrl-alt-del': 'reboot',
};

/** Of systemctl: its verb, or the unit that it starts. */
function insteadOfUnit(name: string, words: readonly string[]): string | null {
  // It stops everything and leaves the machine on.
  if (words.includes('shutdown.target')) return doesNot(`${name} with shutdown.target`);
  if (words.includes('--dry-run')) return doesNot(`${name} --dry-run`);
  const verb = words
    .map((word) => word.replace(/^systemd-(.+)\.service$/, '$1').replace(/\.target$/, ''))
    .map((word) => otherNames[word] ?? word)
    .find((word) =>
      /^(?:poweroff|halt|(?:soft-)?reboot|kexec|suspend(?:-then-hibernate)?|hibernate|hybrid-sleep|sleep|rescue|emergency|runlevel[1-5])$/.test(
        word,
      ),
    );
  if (verb === 'halt') return halts(`${name} halt`);
  if (verb?.endsWith('reboot') === true || verb === 'kexec') return restarts(`${name} ${verb}`);
  if (/--when[= ](?:cancel|show)\b/.test(words.join(' ')))
    return doesNot(`${name} with --when=cancel or show`);
  return verb === undefined || verb === 'poweroff' ? null : doesNot(`${name} ${verb}`);
}

function refused(what: string): string {
  return `${what} without a reason is refused by TrueNAS 25.04 and later (write: system.shutdown UPS)`;
}

function doesNot(what: string): string {
  return `${what} does not power the machine off`;
}

const restartsMachine = 'restarts the machine';

function restarts(what: string): string {
  return `${what} ${restartsMachine} and does not power it off`;
}

function halts(what: string): string {
  return `${what} halts the machine and does not power it off`;
}
