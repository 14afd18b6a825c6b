import { expect } from 'chai';
import { isLoopback } from '../../../shared/runtime/loopback.js';

describe('loopback', () => {
  for (const host of [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.255',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::0001',
    '::1%lo',
    '::ffff:127.0.0.1',
    '::FFFF:127.8.9.10',
    '[::ffff:127.0.0.1]',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
    '0:0:0:0:0:ffff:7f00:0001',
    'localhost',
    'LocalHost',
  ])
    it(`is ${host}`, () => expect(isLoopback(host)).to.equal(true));

  for (const host of [
    '0.0.0.0',
    '128.0.0.1',
    '126.255.255.255',
    '192.0.2.1',
    '::',
    '::2',
    '::ffff:0.0.0.0',
    '::ffff:192.0.2.1',
    '::ffff:8000:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fe80::1%lo',
    '127.0.0.1.example',
    'localhost.example',
    '',
  ])
    it(`is not ${JSON.stringify(host)}`, () => expect(isLoopback(host)).to.equal(false));
});
