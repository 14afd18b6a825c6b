// Sends a message to the terminals of all logged-in users.
import * as t from 'io-ts';
import { kind } from './kind.js';

export const wall = kind(
  'wall',
  { message: t.string },
  {
    words: ({ message }, target) => `tell ${target}: ${message}`,
    outlook: ({ message }) => [`a message to all logged-in users: ${message}`],
    needs: () => [
      { anyOf: ['wall'], setting: 'local_shutdown.wall', without: 'logged-in users would get no message' },
    ],
  },
);
