// Writes the file by which NUT's late hook cuts the power of the UPS.
import * as t from 'io-ts';
import { kind } from './kind.js';

export const powerdownFlag = kind({
  name: 'powerdownFlag',
  properties: { path: t.string },
  words: ({ path }) => `write ${path}, by which NUT cuts the power of the UPS when this host is down`,
  leastSeconds: () => 1,
});
