// The catalogue entries of `ridethrough user` and `ridethrough apikey`.
import type { CommandEntry } from '../usage.js';
import { config, exitCodes, json } from '../usage.js';

export const userEntries: readonly CommandEntry[] = [
  {
    name: 'user',
    summary: 'create, list, change and delete the users who may log in to the API',
    usages: [
      { word: 'create', operands: 'NAME', options: 'role:control,read password-stdin|generate json config' },
      { word: 'role', operands: 'NAME ROLE', options: 'config' },
      { word: 'passwd', operands: 'NAME', options: 'password-stdin|generate json config' },
      { word: 'delete', operands: 'NAME', options: 'config' },
      { word: 'list', options: 'json config' },
      { word: 'show', operands: 'NAME', options: 'json config' },
    ],
    text: [
      `Manages the users of the API. A change takes effect immediately, whether the daemon runs or not. The first user turns
authentication on, unless api.auth.enabled is set. A new password or a deletion ends every session of the user.
Needs root, or the user the daemon runs as.`,
      [
        [
          '--role ROLE',
          'control (default) may do everything; read may look at everything and change nothing',
        ],
      ],
      {
        lead: 'The password is asked for twice and not shown; it has at least 8 characters.',
        items: [
          ['--password-stdin', 'read it from standard input instead'],
          ['--generate', 'generate one and print it once'],
        ],
      },
      [config, json],
    ],
    exitCodes: exitCodes('done', 'it failed'),
    load: async () => (await import('./user.js')).user,
  },
  {
    name: 'apikey',
    summary: 'create, list and revoke API keys, the credentials of programs',
    usages: [
      { word: 'create', operands: 'LABEL', options: 'role:control,read,metrics expires json config' },
      { word: 'list', options: 'json config' },
      { word: 'revoke', operands: 'LABEL', options: 'config' },
    ],
    text: [
      `Manages the API keys of programs, sent as "Authorization: Bearer KEY" or "X-API-Key: KEY". A key works
immediately, whether the daemon runs or not, while authentication is on. A key is printed once, when it is created. The
audit records show its label. The list shows when each was last used, to ten minutes.
Needs root, or the user the daemon runs as.`,
      [
        [
          '--role ROLE',
          'control (default) may do everything, read may read everything, metrics may read /metrics',
        ],
        ['--expires TIME', '12h or 90d from now, or a date; default never'],
      ],
      [config, json],
    ],
    gap: 3,
    exitCodes: exitCodes('done', 'it failed'),
    load: async () => (await import('./apikey.js')).apikey,
  },
];
