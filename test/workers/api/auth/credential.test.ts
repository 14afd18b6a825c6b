import { expect } from 'chai';
import { credentialsOf } from '../../../../workers/api/auth/credential.js';

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a bearer token', ['Authorization', 'Bearer abc'], ['abc']],
  ['the scheme in any case', ['authorization', 'bEARER abc'], ['abc']],
  ['several blanks after the scheme', ['Authorization', 'Bearer   abc'], ['abc']],
  ['an API key header', ['X-API-Key', 'abc'], ['abc']],
  ['both, the bearer first', ['x-api-key', 'key', 'Authorization', 'Bearer token'], ['token', 'key']],
  ['a key beside the scheme of a proxy', ['Authorization', 'Basic YTpi', 'X-API-Key', 'key'], ['key']],
  ['the header of the page', ['X-Ridethrough-Session', 'abc'], ['abc']],
  [
    'that header beside the login of a proxy',
    ['Authorization', 'Basic YTpi', 'X-Ridethrough-Session', 'abc'],
    ['abc'],
  ],
  [
    'all three, that of the page first',
    ['X-API-Key', 'key', 'Authorization', 'Bearer token', 'x-ridethrough-session', 'page'],
    ['page', 'token', 'key'],
  ],
  ['two headers of the page', ['X-Ridethrough-Session', 'a', 'X-Ridethrough-Session', 'b'], []],
  ['nothing', ['Host', 'localhost'], []],
  ['another scheme', ['Authorization', 'Basic YTpi'], []],
  ['no scheme', ['Authorization', 'abc'], []],
  ['a scheme alone', ['Authorization', 'Bearer'], []],
  ['a scheme that only begins so', ['Authorization', 'Bearerabc'], []],
  ['two words', ['Authorization', 'Bearer abc def'], []],
  ['two tokens in one header', ['Authorization', 'Bearer abc, Bearer def'], []],
  ['two Authorization headers', ['Authorization', 'Bearer abc', 'authorization', 'Bearer abc'], []],
  ['two keys', ['X-API-Key', 'a', 'X-Api-Key', 'b'], []],
  ['an empty key', ['X-API-Key', ''], []],
  ['a tab for a blank', ['Authorization', 'Bearer\tabc'], []],
  ['letters outside ASCII', ['Authorization', 'Bearer äbc'], []],
  ['a NUL', ['X-API-Key', 'abc\0'], []],
  ['more than any of ours has', ['X-API-Key', 'a'.repeat(129)], []],
  ['a header whose value is named like one', ['X-Note', 'Authorization', 'X-API-Key', 'abc'], ['abc']],
];

describe('the credential of a request', () => {
  for (const [what, headers, found] of cases)
    it(`is ${found.length === 0 ? 'none' : JSON.stringify(found)} for ${what}`, () => {
      expect(credentialsOf(headers)).to.deep.equal(found);
    });
});
