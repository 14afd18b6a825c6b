// The catalogue entries of `ridethrough user` and `ridethrough apikey`.
import type { Entry } from '../usage.js';
import { noConfiguration } from '../usage.js';

export const userEntries: readonly Entry[] = [
  {
    name: 'user',
    summary: 'create, list, change and delete the users who may log in to the API',
    help: `ridethrough user create NAME [--role control|read] [--password-stdin | --generate] [--json] [--config FILE]
ridethrough user role NAME ROLE [--config FILE]
ridethrough user passwd NAME [--password-stdin | --generate] [--json] [--config FILE]
ridethrough user delete NAME [--config FILE]
ridethrough user list [--json] [--config FILE]
ridethrough user show NAME [--json] [--config FILE]

Manages the users of the API. A change takes effect immediately, whether the daemon runs or not. The first user turns
authentication on, unless api.auth.enabled is set. A new password or a deletion ends every session of the user.
Needs root, or the user the daemon runs as.

  --role ROLE         control (default) may do everything; read may look at everything and change nothing

The password is asked for twice and not shown; it has at least 8 characters.
  --password-stdin    read it from standard input instead
  --generate          generate one and print it once

  --config FILE       the configuration; default /etc/ridethrough/config.toml
  --json              for programs

Exit codes: 0 done, 1 it failed, 2 wrong usage,
${noConfiguration}.`,
    load: async () => (await import('./user.js')).user,
  },
  {
    name: 'apikey',
    summary: 'create, list and revoke API keys, the credentials of programs',
    help: `ridethrough apikey create LABEL [--role control|read|metrics] [--expires TIME] [--json] [--config FILE]
ridethrough apikey list [--json] [--config FILE]
ridethrough apikey revoke LABEL [--config FILE]

Manages the API keys of programs, sent as "Authorization: Bearer KEY" or "X-API-Key: KEY". A key works
immediately, whether the daemon runs or not, while authentication is on. A key is printed once, when it is created. The
audit records show its label. The list shows when each was last used, to ten minutes.
Needs root, or the user the daemon runs as.

  --role ROLE      control (default) may do everything, read may read everything, metrics may read /metrics
  --expires TIME   12h or 90d from now, or a date; default never

  --config FILE    the configuration; default /etc/ridethrough/config.toml
  --json           for programs

Exit codes: 0 done, 1 it failed, 2 wrong usage,
${noConfiguration}.`,
    load: async () => (await import('./apikey.js')).apikey,
  },
];
