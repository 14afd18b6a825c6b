// Sends a message to the terminals of all logged-in users.
import * as t from 'io-ts';
import { kind, need } from './kind.js';

export const wall = kind({
  name: 'wall',
  properties: { message: t.string },
  words: ({ message }, target) => `tell ${target}: ${message}`,
  outlook: ({ message }) => [`a message to all logged-in users: ${message}`],
  needs: () => [need(['wall'], 'local_shutdown.wall', 'logged-in users would get no message')],
});
