// The catalogue entry of `ridethrough support`.
import type { Entry } from '../usage.js';
import { noConfiguration } from '../usage.js';

export const supportEntry: Entry = {
  name: 'support',
  summary: 'write an archive for a bug report, without secrets',
  help: `ridethrough support [--output FILE] [--config FILE] [--socket PATH]

Writes versions, the configuration without secrets, the state of every UPS and worker, plans without commands, the last
events and the last lines of the log into one tar.gz of at most 20 MB, and prints its name. It needs the running daemon.
It names hosts, users and serial numbers: read it before you send it to anybody.
Needs root or membership in the group ridethrough-admin.

  --output FILE    default ridethrough-support-TIME.tar.gz here; - is standard output. No file is overwritten
  --config FILE    the configuration that names the runtime directory; default /etc/ridethrough/config.toml
  --socket PATH    the control socket; the configuration is not read

Exit codes: 0 written, 1 not written, 2 wrong usage,
${noConfiguration}.`,
  load: async () => (await import('./support.js')).support,
};
