// Logs in to a server, runs its actions and its final command.
import { kind } from './kind.js';
import { loginOf, remoteCommands, RemoteWork, workWords } from './remote-work.js';

export const remote = kind({
  name: 'remote',
  properties: { work: RemoteWork },
  words: ({ work }) => workWords(work),
  details: ({ work }, limit, early) => [`${loginOf(work)}, ${limit}${early}`, ...remoteCommands(work)],
  leastSeconds: ({ work }) =>
    work.final === null ? 0 : work.connectTimeoutSeconds + work.commandTimeoutSeconds,
  // Without a final command it is one of several steps of the host delegate.
  serverOf: ({ work }) => (work.final === null ? null : work.server),
});
