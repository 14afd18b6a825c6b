// All commands. Loaded at every start, so it imports no more than texts; a command loads its own module.
import { demoEntry } from './demo/entry.js';
import { importEntry } from './import/entry.js';
import { initEntry } from './init/entry.js';
import { outagesEntry } from './outages/entry.js';
import { reportEntry } from './report/entry.js';
import { supportEntry } from './support/entry.js';
import { userEntries } from './users/entry.js';
import type { CommandEntry } from './usage.js';
import { config, exitCodes, json, runtimeConfig, socket } from './usage.js';
import { waitEntry } from './wait/entry.js';

export const catalogue: readonly CommandEntry[] = [
  initEntry,
  {
    name: 'run',
    summary: 'run the daemon in the foreground (what the systemd unit does)',
    text: [
      `Polls the configured UPSes and runs the shutdown plan of a group when a trigger fires.
Runs until SIGTERM or SIGINT. SIGHUP reloads the configuration. SIGUSR2 logs how far every
trigger is from firing.`,
      [
        config,
        ['--api', 'serve the API and the dashboard although the file does not enable them'],
        ['--api-bind ADDRESS', 'on this IP address; implies --api'],
        ['--api-port PORT', 'on this port; 0: one that the system chooses and the log names; implies --api'],
      ],
    ],
    exitCodes: [
      [0, 'ended by a signal'],
      [2, 'wrong usage'],
      [
        75,
        'another daemon has the runtime directory\nor nobody could read the configuration in time (try again)\n',
      ],
      [78, 'the configuration is invalid, or this user may not use the runtime directory'],
    ],
    ignoresBrokenPipe: true,
    load: async () => (await import('./daemon/run.js')).run,
  },
  {
    name: 'validate',
    summary: 'check the configuration and describe what the daemon does with it',
    text: [
      `Reads the configuration as the daemon does and starts nothing. Prints every problem. If there is none, prints which
conditions start a shutdown and which commands it runs. If the daemon runs, the command reads the runtimes of the
UPSes from it and warns about a battery that is too small for the threshold.`,
      [config, json],
    ],
    exitCodes: [
      [0, 'the file is valid'],
      [2, 'wrong usage'],
      [75, 'nobody could read\nit in time (try again)'],
      [78, 'it is not'],
    ],
    load: async () => (await import('./validate/validate.js')).validate,
  },
  {
    name: 'plan',
    summary: 'show what a shutdown would do, step by step, and how long it may take',
    usages: [{ operands: '[GROUP]' }],
    text: [
      `Prints the shutdown plan of every UPS and redundancy group, or of one: the phases in order, the command for each
target, its estimated time and its limit. The daemon runs exactly this plan. Starts nothing.`,
      [
        ['GROUP', 'a UPS as the configuration names it, or a redundancy group'],
        config,
        ['--json', 'for programs; as the API has it at /api/v1/ups/{name}/shutdown-plan'],
      ],
    ],
    exitCodes: exitCodes('success', 'there is no such group'),
    load: async () => (await import('./drill/plan.js')).plan,
  },
  {
    name: 'status',
    summary: 'show power, batteries and a running shutdown, as the daemon sees them',
    text: [
      `Prints the state of the running daemon: a table of the UPSes with battery, load and state, why the daemon is not
ready, and how far the next trigger is from firing. Needs root or membership in the group ridethrough-admin.`,
      [
        ['--history', 'also plot charge, load and input voltage of the last hour and the last 24 hours'],
        runtimeConfig,
        socket,
        ['--json', 'as the API has it at /api/v1/ups; with --history the values under the key "history"'],
      ],
    ],
    exitCodes: exitCodes('the daemon answered', 'it did not'),
    load: async () => (await import('./status/status.js')).status,
  },
  {
    name: 'explain',
    summary: 'explain for every trigger why it fires or does not',
    usages: [{ operands: '[NAME]' }],
    text: [
      `Prints for every UPS and redundancy group, or for one, what happens next, when and why. For each trigger it prints
the threshold, the reading and its age, refused values, and how far the trigger is from firing.
Needs root or membership in the group ridethrough-admin.`,
      [
        ['NAME', 'a UPS as the configuration names it (office@localhost), or a redundancy group'],
        runtimeConfig,
        socket,
        json,
      ],
    ],
    exitCodes: exitCodes('success', 'the daemon did not answer'),
    load: async () => (await import('./control/explain.js')).explain,
  },
  {
    name: 'events',
    summary: 'list the newest events; with --follow also new ones',
    usages: [{ options: 'follow limit since ups verbosity config \n socket json' }],
    text: [
      `Prints the newest events of the running daemon's history, oldest first, in local time.
Needs root or membership in the group ridethrough-admin.`,
      [
        ['-f, --follow', 'print each new event, also across a restart of the daemon, until Ctrl-C'],
        [
          '--limit N',
          'maximum number of events, 1 to 10000; default 100, with --follow 10, with --since 10000',
        ],
        [
          '--since TIME',
          'not before: 90s, 30m, 2h or 7d ago, "14:30", "2026-01-31", "2026-01-31 14:30:00", or Unix seconds',
        ],
        ['--ups NAME', 'one UPS or redundancy group, also one that is no longer configured, or "daemon"'],
        ['--verbosity N', '0 power and shutdown, 1 also diagnostics, 2 (default) all'],
        runtimeConfig,
        socket,
        ['--json', 'as the API has it at /api/v1/events; with --follow one event a line'],
      ],
    ],
    exitCodes: exitCodes('success', 'the daemon did not answer or has no such UPS'),
    load: async () => (await import('./events/events.js')).events,
  },
  outagesEntry,
  reportEntry,
  importEntry,
  {
    name: 'shutdown',
    summary: 'drill or run the shutdown of a server or a group, or cancel a sequence',
    usages: [
      { word: 'remote', options: '!server i-really-want-to-shut-down config json' },
      { word: 'group', options: '!group i-really-want-to-shut-down config json' },
      { word: 'cancel', options: 'config socket json' },
    ],
    text: [
      `remote and group are drills. They go through the plan of the daemon, log in to every server, check that each command
exists and may be run (sudo -n -l), and run none of them. They print the time of each step, the targets reached, and
the time a shutdown needs compared with the runtime of the batteries. A drill changes nothing. It is refused while the
daemon runs a sequence.`,
      [
        ['--server NAME', 'one remote server, as the configuration names it'],
        ['--group NAME', 'a UPS or a redundancy group: all steps of its plan'],
        ['--i-really-want-to-shut-down', 'run the plan; behavior.dry_run = true still prevents it'],
        config,
        socket,
        json,
      ],
      `cancel ends a sequence of the daemon that has not reached its point of no return. Needs root or membership in the group
ridethrough-admin.`,
    ],
    exitCodes: exitCodes(
      'every step succeeded or the sequence is cancelled',
      'a step failed or the request failed',
    ),
    ignoresBrokenPipe: true,
    load: async () => (await import('./drill/shutdown.js')).shutdown,
  },
  {
    name: 'remote',
    summary: 'list the remote servers and their health',
    usages: [{ word: 'list', options: 'config socket json' }],
    text: [
      `Prints every remote server with what the running daemon's last health probe found: HEALTHY, DEGRADED (failed, but
not yet remote_health.failure_threshold times in a row), FAILED, UNKNOWN (not probed yet) or DISABLED. Starts no probe.
If the daemon does not answer, the command lists the configured servers without their health.
Needs root or membership in the group ridethrough-admin.`,
      [config, socket, ['--json', 'as the API has it at /api/v1/remote-health']],
    ],
    exitCodes: exitCodes('success', 'no daemon answers and no configuration can be read'),
    load: async () => (await import('./control/remote.js')).remote,
  },
  {
    name: 'recovery',
    summary: 'show who was up before the outage, or check whether each machine comes back after one',
    usages: [
      { word: 'status', options: 'config socket json' },
      { word: 'check', options: 'config socket json' },
    ],
    text: [
      `status prints every server with what the running daemon's record says of it: whether it was up, off or unknown (nothing
has shown it) before the outage, whether it is up now, and the reason why it is not.`,
      `check prints for this host and every server how it comes back after an outage, when it last did, and what speaks
against it, with what to do. A warning says that a machine stays off, or comes back with less than before; a note says what
cannot be known from here. What a server itself must be asked is asked by drills (ridethrough shutdown group).
Neither starts a machine. Both need root or membership in the group ridethrough-admin.`,
      [config, socket, ['--json', 'as the API has it at /api/v1/recovery and /api/v1/recovery/check']],
    ],
    exitCodes: exitCodes('success; check: no warning', 'no daemon answers; check: there is a warning'),
    load: async () => (await import('./control/recovery.js')).recovery,
  },
  {
    name: 'test-notifications',
    summary: 'send a test message to every notification service',
    text: [
      `The running daemon sends a test message through every notification service, and the command prints each result.
A service is shown by its position in the list, because an address is a secret.
Needs root or membership in the group ridethrough-admin. Takes up to twice notifications.timeout.`,
      [runtimeConfig, socket, json],
    ],
    exitCodes: exitCodes('every service accepted the message', 'one did not or none is configured'),
    load: async () => (await import('./control/test-notifications.js')).testNotifications,
  },
  {
    name: 'self-test',
    summary: 'start a battery test of a UPS',
    usages: [{ operands: 'NAME' }],
    text: [
      `The running daemon starts self_test.command of the UPS, follows the test to its end and records the result. It needs
nut_control.enabled and the command in nut_control.allowed_commands. The daemon refuses it, with the reason, unless the
UPS is on line power, full, without an outage in the last hour, and nothing else in its redundancy group is in a test
or unhealthy.
Needs root or membership in the group ridethrough-admin.`,
      [
        ['NAME', 'a UPS as the configuration names it'],
        runtimeConfig,
        socket,
        ['--json', 'for programs; as the API has it at POST /api/v1/ups/{name}/self-test'],
      ],
    ],
    exitCodes: exitCodes('the test was started', 'it was not'),
    load: async () => (await import('./control/self-test.js')).selfTest,
  },
  supportEntry,
  ...userEntries,
  waitEntry,
  {
    name: 'monitor',
    summary: 'show the status and new events live',
    text: [
      `Shows the table of "status", updated on every change, and the events below it, until Ctrl-C, also across a restart of
the daemon. In a pipe it prints the table when the state of a UPS changes, and one line for each event.
Needs root or membership in the group ridethrough-admin.`,
      [
        runtimeConfig,
        socket,
        [
          '--json',
          'one JSON object a line: {"event": "status" | "sequence" | "event", "data": as the API has it}',
        ],
      ],
    ],
    exitCodes: exitCodes('ended by Ctrl-C', 'the daemon did not answer at the start'),
    load: async () => (await import('./status/monitor.js')).monitor,
  },
  {
    name: 'reload',
    summary: 'reload the configuration of the running daemon',
    text: [
      `The daemon reads and checks its file. It applies a valid file completely and immediately, and keeps the current
configuration if the file is invalid. Polling continues, and a running shutdown sequence keeps its plan. Does the same
as systemctl reload ridethrough and prints the result.
Needs root or membership in the group ridethrough-admin.`,
      [runtimeConfig, socket, json],
    ],
    exitCodes: exitCodes('the file is applied', 'the request failed'),
    load: async () => (await import('./control/reload.js')).reload,
  },
  {
    name: 'restart-check',
    summary: 'say whether the daemon may be restarted now without interrupting anything',
    text: [
      `Asks the running daemon and prints each reason to restart it later: a shutdown sequence runs, a UPS is on battery or
cannot be read, a trigger is active. The packages ask before an upgrade changes to the new version. Restarts nothing.`,
      [runtimeConfig, socket],
    ],
    exitCodes: exitCodes('a restart interrupts nothing', 'it would or no daemon answers'),
    load: async () => (await import('./control/restart-check.js')).restartCheck,
  },
  {
    name: 'version',
    summary: 'print the version',
    text: ['Prints the version of this build; so does ridethrough --version.', [json]],
    exitCodes: [
      [0, 'success'],
      [2, 'wrong usage'],
    ],
    load: async () => (await import('./daemon/version.js')).version,
  },
  demoEntry,
];
