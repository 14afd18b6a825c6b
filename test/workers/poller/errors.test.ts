import { expect } from 'chai';
import { isNotOffered, refused, socketFailure } from '../../../workers/poller/errors.js';
import { PollFailure } from '../../../shared/domain/states.js';

describe('a refusal of the server', () => {
  for (const [token, detail] of [
    ['DRIVER-NOT-CONNECTED', 'DRIVER_NOT_CONNECTED'],
    ['DATA-STALE', 'DATA_STALE'],
    ['UNKNOWN-UPS', 'UNKNOWN_UPS'],
    ['ACCESS-DENIED', 'ACCESS_DENIED'],
    ['USERNAME-REQUIRED', 'ACCESS_DENIED'],
    ['PASSWORD-REQUIRED', 'ACCESS_DENIED'],
    ['VAR-NOT-SUPPORTED', 'PROTOCOL_ERROR'],
    ['SOMETHING-NEW', 'PROTOCOL_ERROR'],
    ['toString', 'PROTOCOL_ERROR'],
    ['', 'PROTOCOL_ERROR'],
  ] as const) {
    it(`with ${token === '' ? 'no code' : token} means ${detail} to a poll`, () => {
      const { failure } = refused(token, `ERR ${token}`);
      expect(failure).to.include({ detail, message: `ERR ${token}` });
      expect(PollFailure.is(failure.detail)).to.equal(true);
    });
  }

  it('keeps the code it knows and none it does not', () => {
    expect(refused('READONLY', '').failure.code).to.equal('READONLY');
    expect(refused('SOMETHING-NEW', '').failure.code).to.equal(null);
  });

  it('of the request itself is not one of its argument', () => {
    expect(isNotOffered(refused('UNKNOWN-COMMAND', '').failure)).to.equal(true);
    expect(isNotOffered(refused('VAR-NOT-SUPPORTED', '').failure)).to.equal(false);
  });

  it('has a message that fits the link, however long the line was', () => {
    expect(refused('X', 'x'.repeat(4000)).failure.message).to.have.length(1024);
  });
});

describe('a broken socket', () => {
  for (const [code, detail] of [
    ['ECONNREFUSED', 'SERVER_DOWN'],
    ['ECONNRESET', 'SERVER_DOWN'],
    ['EHOSTUNREACH', 'SERVER_DOWN'],
    ['ETIMEDOUT', 'TIMEOUT'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS_FAILED'],
  ]) {
    it(`with ${code ?? ''} means ${detail ?? ''}`, () => {
      const error = Object.assign(new Error('it broke'), { code });
      expect(socketFailure(error, 'here').failure.detail).to.equal(detail);
    });
  }
});
