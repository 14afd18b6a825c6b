// The commands there are: what each is called, what a person is told of it, and where its code is. Loaded at every start,
// so it imports nothing; a command's own code is loaded only when it is asked for.

export type Command = (args: readonly string[]) => Promise<number>;

export interface Entry {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `ridethrough NAME --help` prints. */
  readonly help: string;
  /** It goes on when nobody reads its output any more. */
  readonly ignoresBrokenPipe?: true;
  readonly load: () => Promise<Command>;
}

export const catalogue: readonly Entry[] = [
  {
    name: 'run',
    summary: 'run the daemon in the foreground (what the systemd unit does)',
    help: `ridethrough run [--config FILE] [--api] [--api-bind ADDRESS] [--api-port PORT]

Watches the UPSes of the configuration and shuts down what it says when a trigger is met.
Runs until SIGTERM or SIGINT. SIGHUP reads the configuration again, SIGUSR2 writes to the log
how far every trigger is from firing.

  --config FILE         the configuration; default /etc/ridethrough/config.toml
  --api                 serve the API and the dashboard although the file does not enable them
  --api-bind ADDRESS    on this IP address; implies --api
  --api-port PORT       on this port; implies --api

Exit codes: 0 ended by a signal, 2 wrong usage, 78 the configuration is invalid.
`,
    ignoresBrokenPipe: true,
    load: async () => (await import('./daemon/run.js')).run,
  },
  {
    name: 'validate',
    summary: 'check the configuration and say what the daemon will do with it',
    help: `ridethrough validate [--config FILE] [--json]

Reads the configuration as the daemon does and starts nothing. Prints everything that is wrong with it, or, in plain
words, what would lead to a shutdown and which command would be run then. Where the daemon runs, it is asked for the
runtimes it has read, to warn of a battery that is too small for the threshold.

  --config FILE    the configuration; default /etc/ridethrough/config.toml
  --json           for programs

Exit codes: 0 the file is valid, 2 wrong usage, 78 it is not.`,
    load: async () => (await import('./validate/validate.js')).validate,
  },
  {
    name: 'plan',
    summary: 'show what a shutdown would do, step by step, and how long it may take',
    help: `ridethrough plan [GROUP] [--config FILE] [--json]

Prints the shutdown plan of every UPS and redundancy group, or of the one named: phases in their order, what is run
on which target, how long that takes when nothing hangs, and its limit. The daemon runs this very plan. Starts nothing.

  GROUP            a UPS as the configuration names it, or a redundancy group
  --config FILE    the configuration; default /etc/ridethrough/config.toml
  --json           for programs; as the API has it at /api/v1/ups/{name}/shutdown-plan

Exit codes: 0 fine, 1 there is no such group, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./drill/plan.js')).plan,
  },
  {
    name: 'status',
    summary: 'show what the running daemon knows of power, batteries and a shutdown under way',
    help: `ridethrough status [--history] [--config FILE] [--socket PATH] [--json]

Asks the running daemon and prints a table: each UPS with its battery, load and state, what speaks against
readiness, and how far the next trigger is. Needs root or membership in the group ridethrough-admin.

  --history        with charge, load and input voltage of the last hour and the last 24 hours as small plots
  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           as the API has it at /api/v1/ups; with --history the values under the key "history"

Exit codes: 0 the daemon has answered, whatever it says, 1 it has not, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./status/status.js')).status,
  },
  {
    name: 'explain',
    summary: 'say why the running daemon will or will not shut down, trigger by trigger',
    help: `ridethrough explain [NAME] [--config FILE] [--socket PATH] [--json]

For every UPS and redundancy group, or for the one named: what will happen next, when, and why; each trigger
with its threshold, the reading it uses, how old that is, what was refused, and how far it is from firing.
Needs root or membership in the group ridethrough-admin.

  NAME             a UPS as the configuration names it (office@localhost), or a redundancy group
  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           for programs

Exit codes: 0 fine, 1 the daemon gave no account, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./control/explain.js')).explain,
  },
  {
    name: 'events',
    summary: 'list what has happened, and with --follow what happens now',
    help: `ridethrough events [--follow] [--limit N] [--since TIME] [--ups NAME] [--verbosity N] [--config FILE]
                   [--socket PATH] [--json]

Asks the running daemon for the newest events of its history and prints them, oldest first, in local time.
Needs root or membership in the group ridethrough-admin.

  -f, --follow     go on with each new event, also over a restart of the daemon, until Ctrl-C
  --limit N        at most so many, 1 to 10000; default 100, with --follow 10, with --since 10000
  --since TIME     not before: 90s, 30m, 2h or 7d ago, "14:30", "2026-01-31", "2026-01-31 14:30:00", or Unix seconds
  --ups NAME       of one UPS or redundancy group, also one that is no longer configured; or of the "daemon" itself
  --verbosity N    0 power and shutdown, 1 and diagnostics, 2 (default) everything
  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           as the API has it at /api/v1/events; with --follow one event a line

Exit codes: 0 fine, 1 the daemon gave no answer or knows no such UPS, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./events/events.js')).events,
  },
  {
    name: 'shutdown',
    summary: 'rehearse the shutdown of a server or a whole group, do it by hand, or call one off',
    help: `ridethrough shutdown remote --server NAME [--i-really-want-to-shut-down] [--config FILE] [--json]
ridethrough shutdown group --group NAME [--i-really-want-to-shut-down] [--config FILE] [--json]
ridethrough shutdown cancel [--config FILE] [--socket PATH] [--json]

remote and group are drills: they go through the plan the daemon would run, log in to every server, look whether each
command is there and may be run (sudo -n -l), and run none of them. They print how long each step took, which targets
were reached, and the time a shutdown needs against the time the batteries leave. Nothing is changed anywhere.
They are refused while the daemon runs a sequence.

  --server NAME                   one remote server, as the configuration names it
  --group NAME                    a UPS or a redundancy group: everything its plan holds
  --i-really-want-to-shut-down    do it; behavior.dry_run = true in the configuration still wins
  --config FILE                   the configuration; default /etc/ridethrough/config.toml
  --json                          for programs

cancel calls off a sequence of the running daemon that has destroyed nothing yet. Needs root or membership in the group
ridethrough-admin.

Exit codes: 0 every step could be (or was) done, or the sequence is called off; 1 not so, 2 wrong usage,
78 the configuration is invalid.`,
    load: async () => (await import('./drill/shutdown.js')).shutdown,
  },
  {
    name: 'remote',
    summary: 'list the remote servers, and whether each could be shut down',
    help: `ridethrough remote list [--config FILE] [--socket PATH] [--json]

Prints every remote server with what the running daemon's last health probe found: HEALTHY, DEGRADED (failed, but
not yet remote_health.failure_threshold times in a row), FAILED, UNKNOWN (not probed yet) or DISABLED. Starts no probe.
Where the daemon does not answer, the servers of the configuration are listed, about which nothing is known.
Needs root or membership in the group ridethrough-admin.

  --config FILE    the configuration; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           as the API has it at /api/v1/remote-health

Exit codes: 0 fine, 1 no daemon answers and no configuration can be read, 2 wrong usage,
78 the configuration is invalid.`,
    load: async () => (await import('./control/remote.js')).remote,
  },
  {
    name: 'test-notifications',
    summary: 'send a test message through every notification service and say what each answered',
    help: `ridethrough test-notifications [--config FILE] [--socket PATH] [--json]

Asks the running daemon to send a test message to every address in notifications.urls, in the way it sends all
others, and prints what each service answered. Services are named by their place in the list: an address is a secret.
Needs root or membership in the group ridethrough-admin. Takes up to twice notifications.timeout.

  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           for programs

Exit codes: 0 every service has taken the message, 1 one has not or there is none, 2 wrong usage, 78 the configuration
is invalid.`,
    load: async () => (await import('./control/test-notifications.js')).testNotifications,
  },
  {
    name: 'user',
    summary: 'create, list, change and delete the users who may log in to the API',
    help: `ridethrough user create NAME [--password-stdin | --generate] [--json] [--config FILE]
ridethrough user passwd NAME [--password-stdin | --generate] [--json] [--config FILE]
ridethrough user delete NAME [--config FILE]
ridethrough user list [--json] [--config FILE]
ridethrough user show NAME [--json] [--config FILE]

Keeps the users of the API, which work at once, whether the daemon runs or not. With the first one authentication
is on, unless api.auth.enabled says otherwise. A new password and a deletion end every session of the user.
Needs root, or the user the daemon runs as.

The password is asked for twice and not shown; it has at least 8 characters.
  --password-stdin    read it from standard input instead
  --generate          make one up and print it, once

  --config FILE       the configuration; default /etc/ridethrough/config.toml
  --json              for programs

Exit codes: 0 done, 1 it failed, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./users/user.js')).user,
  },
  {
    name: 'apikey',
    summary: 'create, list and revoke API keys, the credentials of programs',
    help: `ridethrough apikey create LABEL [--json] [--config FILE]
ridethrough apikey list [--json] [--config FILE]
ridethrough apikey revoke LABEL [--config FILE]

Keeps the keys with which programs may use the API, sent as "Authorization: Bearer KEY" or "X-API-Key: KEY". They have
no end of life and work at once, whether the daemon runs or not, while authentication is on. A key is printed when
it is made and never again; the label is what the records call it.
Needs root, or the user the daemon runs as.

  --config FILE    the configuration; default /etc/ridethrough/config.toml
  --json           for programs

Exit codes: 0 done, 1 it failed, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./users/apikey.js')).apikey,
  },
  {
    name: 'monitor',
    summary: 'watch the UPSes live, and events as they come',
    help: `ridethrough monitor [--config FILE] [--socket PATH] [--json]

Shows the table of status, drawn anew with every change, and below it what happens, until Ctrl-C; also over a restart
of the daemon. In a pipe it prints the table whenever the state of a UPS is another one, and each event as a line.
Needs root or membership in the group ridethrough-admin.

  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           one JSON object a line: {"event": "status" | "sequence" | "event", "data": as the API has it}

Exit codes: 0 ended by you, 1 the daemon gave no answer at the start, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./status/monitor.js')).monitor,
  },
  {
    name: 'reload',
    summary: 'have the running daemon read its configuration again',
    help: `ridethrough reload [--config FILE] [--socket PATH] [--json]

The daemon reads and checks its file; a valid one is in force at once and as a whole, with one that is not the
configuration before it stays in force. Polling goes on meanwhile, and a shutdown sequence that runs keeps the plan it
started with. Does the same as systemctl reload ridethrough, and says what has come of it.
Needs root or membership in the group ridethrough-admin.

  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket itself, without reading any configuration
  --json           for programs

Exit codes: 0 the file is in force, 1 the daemon could not be asked, 2 wrong usage, 78 the configuration is invalid.`,
    load: async () => (await import('./control/reload.js')).reload,
  },
  {
    name: 'version',
    summary: 'print the version',
    help: `ridethrough version [--json]

Prints the version of this build; so does ridethrough --version.`,
    load: async () => (await import('./daemon/version.js')).version,
  },
  {
    name: 'demo',
    summary: 'watch the daemon on a simulated UPS; nothing is ever shut down',
    help: `ridethrough demo [--scenario NAME] [--port PORT] [--speed N] [--once]

Runs the daemon as a dry run on a simulated UPS, with the dashboard on 127.0.0.1, until Ctrl-C.
Takes no configuration and leaves nothing behind.

  --scenario NAME   outage (default), mains, brownout, self-test, flapping, dying-battery or fsd;
                    while it runs, type another name and Enter
  --port PORT       of the dashboard and the API; default 9191
  --speed N         how many times as fast the simulated UPS lives; 1 to 1000, default 20
  --once            end when the scenario has been played once

Exit codes: 0 ended by you, 1 something could not be started, 2 wrong usage; that of the daemon when it ends by itself.`,
    ignoresBrokenPipe: true,
    load: async () => (await import('./demo/demo.js')).demo,
  },
];
