import { expect } from 'chai';
import { isNotOffered, refusalOf, socketFailure } from '../../../../workers/poller/wire/errors.js';
import { PollFailure } from '../../../../shared/domain/status/states.js';

describe('an error of the server', () => {
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
    it(`with ${token === '' ? 'no code' : token} fails a poll with ${detail}`, () => {
      const { failure } = refusalOf(token, `ERR ${token}`);
      expect(failure).to.include({ detail, message: `ERR ${token}` });
      expect(PollFailure.is(failure.detail)).to.equal(true);
    });
  }

  it('keeps a known code and drops an unknown one', () => {
    expect(refusalOf('READONLY', '').failure.code).to.equal('READONLY');
    expect(refusalOf('SOMETHING-NEW', '').failure.code).to.equal(null);
  });

  it('about the request differs from one about its argument', () => {
    expect(isNotOffered(refusalOf('UNKNOWN-COMMAND', '').failure)).to.equal(true);
    expect(isNotOffered(refusalOf('VAR-NOT-SUPPORTED', '').failure)).to.equal(false);
  });

  it('has a message that fits the link, for any length of the line', () => {
    expect(refusalOf('X', 'x'.repeat(4000)).failure.message).to.have.length(1024);
  });
});

describe('a socket error', () => {
  for (const [code, detail] of [
    ['ECONNREFUSED', 'SERVER_DOWN'],
    ['ECONNRESET', 'SERVER_DOWN'],
    ['EHOSTUNREACH', 'SERVER_DOWN'],
    ['ETIMEDOUT', 'TIMEOUT'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS_FAILED'],
  ]) {
    it(`with ${code ?? ''} fails with ${detail ?? ''}`, () => {
      const error = Object.assign(new Error('it broke'), { code });
      expect(socketFailure(error, 'here').failure.detail).to.equal(detail);
    });
  }
});
