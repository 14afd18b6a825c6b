// apccontrol, which apcupsd runs at each event, and the operator's own scripts beside it, which apccontrol runs first.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import type { EventType } from '../../../../shared/domain/status/events.js';
import { HookRows } from './hook-rows.js';
import { addJudgedHook } from './judged-hook.js';
import { linesOf, readSource } from './source.js';

/** Scripts of these names: the events here at which they run. */
const scripts: Readonly<Record<string, readonly EventType[]>> = {
  powerout: ['ON_BATTERY'],
  onbattery: ['ON_BATTERY'],
  mainsback: ['POWER_RESTORED'],
  offbattery: ['POWER_RESTORED'],
  commfailure: ['CONNECTION_LOST'],
  commok: ['CONNECTION_RESTORED'],
  changeme: ['BATTERY_REPLACE'],
  doshutdown: ['SHUTDOWN_TRIGGERED'],
  startselftest: ['SELF_TEST_STARTED'],
  endselftest: ['SELF_TEST_PASSED', 'SELF_TEST_WARNING', 'SELF_TEST_FAILED'],
};
const oneEvent = 'a hook on SHUTDOWN_TRIGGERED runs at each trigger, with its reason in DETAIL';
/** The others that apccontrol runs or reads. */
const withoutEvent: Readonly<Record<string, string>> = {
  failing: oneEvent,
  timeout: oneEvent,
  loadlimit: oneEvent,
  runlimit: oneEvent,
  emergency: oneEvent,
  remotedown: 'a hook on FSD_DETECTED',
  annoyme:
    'local_shutdown.wall tells users once, when the shutdown begins; `repeat` of a notification service',
  killpower: 'ups_output.off_after_shutdown',
  doreboot: 'the daemon restarts no machine',
  battdetach: 'there is no such event here',
  battattach: 'there is no such event here',
  config:
    'apccontrol reads it first: what it changes, such as the command of the shutdown, is not known here',
};

/** Lines of the apccontrol that apcupsd 3.14 installs, without comments. `shutdown -h -H now` is that of Fedora. */
const stockLines: readonly RegExp[] = [
  /^(?:(?:exec_)?prefix|APCPID|APCUPSD|SCRIPTSHELL|SCRIPTDIR|WALL)=\S+$/,
  /^SHUTDOWN=(?:\/\S*\/)?shutdown$/,
  /^export (?:SYSADMIN|APCUPSD_MAIL)=\S+$/,
  /^if \[ -f \$SCRIPTDIR\/config \]; then \. \$SCRIPTDIR\/config ; fi$/,
  /^if \[ -f \$\{SCRIPTDIR\}\/\$\{1\} -a -x \$\{SCRIPTDIR\}\/\$\{1\} \]$/,
  /^\$\{SCRIPTDIR\}\/\$\{1\} \$\{2\} \$\{3\} \$\{4\}$/,
  /^if \[ \$\? = 99 \] ; then$/,
  /^if \[ -f \/etc\/apcupsd\/powerfail \] ; then$/,
  /^(?:then|fi|esac|;;|exit [01]|sleep 10|case "\$1" in|[a-z]+\))$/,
  /^(?:echo|printf) "(?:[^"`$]|\$\{(?:2|APCUPSD)\})*" *\| *(?:\$\{WALL\}|\(\$\{WALL\} 2>\/dev\/null \|\| cat\))$/,
  /^(?:\*\)\s+)?echo\s+"(?:[^"`$]|\$\{(?:0##\*\/|2|APCUPSD)\})*"$/,
  /^\$\{APCUPSD\} --killpower$/,
  /^\$\{SHUTDOWN\} -r now "apcupsd UPS \$\{2\} initiated reboot"$/,
];
const stockShutdown = /^\$\{SHUTDOWN\} -h (?:-H )?now "apcupsd UPS \$\{2\} initiated shutdown"$/;

/** By apccontrol to each script. */
const exported = new Map([
  ['SYSADMIN', 'root'],
  ['APCUPSD_MAIL', 'mail'],
]);

/** `delay`: ONBATTERYDELAY. `upsName`: UPSNAME; else the UPS says it, and the hook gets `ownName`. */
export function addApccontrol(
  file: DraftTable,
  folder: string,
  {
    delay,
    upsName,
    ownName,
  }: { readonly delay: number; readonly upsName: string | undefined; readonly ownName: string },
): void {
  addFinalCommand(file.table('local_shutdown'), folder);
  const hooks = new HookRows(file);
  for (const [script, on] of Object.entries(scripts)) {
    const path = join(folder, script);
    if (!isProgram(path)) continue;
    const waits = script === 'onbattery' || script === 'offbattery';
    addJudgedHook(
      { file, hooks },
      {
        name: `${script} of apccontrol`,
        command: path,
        args: [upsName ?? ownName],
        // The last two: whether the UPS is connected, and whether it powers this machine.
        givenArgs: [upsName ?? null, null, null],
        variables: exported,
        program: 'apcupsd',
      },
      {
        hook: {
          on,
          ...(script === 'onbattery' && delay > 0 ? { after: delay, cancelOn: ['POWER_RESTORED'] } : {}),
        },
        note: `${script} of apccontrol${waits ? ', which waits for ONBATTERYDELAY' : ''}; ${script === 'doshutdown' ? 'the shutdown does not wait for it, as apccontrol does, and ' : ''}its exit code 99 changes nothing here`,
      },
    );
  }
  for (const [script, why] of Object.entries(withoutEvent)) {
    const path = join(folder, script);
    if (script === 'config' ? isFile(path) : isProgram(path))
      hooks.leavesOut({ what: `${script} of apccontrol, ${path}`, why });
  }
}

/** Whether apccontrol ended in `shutdown -h now`. */
function addFinalCommand(shutdown: DraftTable, folder: string): void {
  const own = join(folder, 'doshutdown');
  if (isProgram(own))
    shutdown.leavesOut(
      `the final command of ${own}`,
      'apccontrol ran it before `shutdown -h now`, and waited for its end, or in its place where it ended with 99. Here it is a hook for which the shutdown does not wait: guests, containers and servers have phases of their own; compare local_shutdown.command',
    );
  const path = join(folder, 'apccontrol');
  const source = readSource(path);
  if (!source.ok) {
    shutdown.leavesOut('apccontrol', `${source.message}: local_shutdown.command is that of the stock one`);
    return;
  }
  const lines = linesOf(source.text).map(({ number, text }) => ({ number, text: text.trim() }));
  const code = lines.filter(({ text }) => text !== '' && !text.startsWith('#'));
  const others = code.filter(({ text }) => ![...stockLines, stockShutdown].some((stock) => stock.test(text)));
  const endsStock = /\bdoshutdown\)\n(?:echo .*\n)?\$\{SHUTDOWN\} -h/.test(
    code.map(({ text }) => text).join('\n'),
  );
  if (others.length === 0 && endsStock) return;
  const where = others.slice(0, maxShown).map(({ number }) => String(number));
  const more = others.length > maxShown ? ' and more' : '';
  shutdown.leavesOut(
    `the final command of ${path}`,
    `it is not known: the file differs from that of apcupsd${where.length === 0 ? '' : ` in line ${where.join(', ')}${more}`}; compare local_shutdown.command before you arm it`,
  );
}

const maxShown = 8;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return isFile(path);
}

const isFile = (path: string): boolean =>
  path.startsWith('/') && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
