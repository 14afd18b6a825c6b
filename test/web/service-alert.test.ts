import { expect } from 'chai';
import { initialState } from '../../web/daemon/client-state.js';
import { alertOf } from '../../web/views/alert.js';

describe('the banner of the page', () => {
  const withReason = (reason: string) => {
    const state = initialState();
    state.connection = 'streaming';
    state.ready = {
      ready: true,
      reasons: [],
      capabilities: [{ id: 'notifications.urls[0] (ntfy)', achievable: true, reason }],
      ups: [],
      workers: [],
    };
    return alertOf(state, new Map());
  };

  it('names a notification service that fails while nothing else is wrong', () => {
    expect(withReason('messages are not delivered, 3 wait: its server refuses the connection')).to.deep.equal(
      {
        tone: 'note',
        title: '1 notification service fails',
        lines: [
          'notifications.urls[0] (ntfy): messages are not delivered, 3 wait: its server refuses the connection',
        ],
      },
    );
    expect(withReason('')).to.equal(null);
  });

  it('names what a shutdown has stopped and does not run', () => {
    const state = initialState();
    state.connection = 'streaming';
    const reason =
      '1 guest of this host stopped by a shutdown and not started again: web (docker: no such network)';
    const capabilities = [{ id: 'recovery/guests', achievable: true, reason }];
    state.ready = { ready: true, reasons: [], capabilities, ups: [], workers: [] };
    expect(alertOf(state, new Map())).to.deep.equal({
      tone: 'note',
      title: 'Guests stopped by a shutdown',
      lines: [reason],
    });
  });
});
