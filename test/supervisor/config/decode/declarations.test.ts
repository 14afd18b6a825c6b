import { expect } from 'chai';
import type { Keys } from '../../../../shared/domain/base/keys.js';
import {
  count,
  duration,
  key,
  overriding,
  rows,
  seconds,
  settingsOf,
  shown,
  shownOf,
  table,
} from '../../../../shared/domain/base/keys.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { secret, secretSource } from '../../../../supervisor/config/schema/secret.js';
import { configurationFrom, office } from '../loading.js';

/** The paths of the secrets that are shown. */
function shownSecrets(keys: Keys, path = '', all = false): readonly string[] {
  return Object.entries(keys).flatMap(([name, entry]) => {
    const isShown = all || entry.shown === true;
    if (entry.kind === 'key') return entry.secret !== null && isShown ? [`${path}${name}`] : [];
    return shownSecrets(entry.keys, `${path}${name}.`, isShown);
  });
}

describe('a key of the configuration', () => {
  const keys = {
    interval: shown(duration(0, 60, 1)),
    hold_off: seconds(0, 60, null),
    retry_seconds: seconds(0, 60, 3),
    agg_5min_days: shown(count(1, 9, 2, 'days')),
    within: table({ after: duration(0, 60, 5) }),
    each: rows({ after: duration(0, 60, 5) }, 3),
    password: secret(key(secretSource, null)),
  };

  it('has the unit of the program in its name there, once', () => {
    expect(settingsOf(keys)).to.deep.equal({
      intervalMs: 1000,
      holdOffSeconds: null,
      retrySeconds: 3,
      agg5minDays: 2,
      within: { afterMs: 5000 },
      each: [],
      password: null,
    });
  });

  it('is overridden by each layer in order, and defaults hold in each row of a list', () => {
    const all = { interval: 2, within: { after: 6 }, each: [{}, { after: 0.0015 }] };
    const own = { interval: 0.25, within: {} };
    expect(settingsOf({ ...keys, own: overriding({ a: count(0, 1, 0) }) }, all, own)).to.deep.include({
      intervalMs: 250,
      within: { afterMs: 6000 },
      each: [{ afterMs: 5000 }, { afterMs: 2 }],
      own: { a: 0 },
    });
  });

  it('is shown only where it is declared so, in the unit of the file', () => {
    expect(shownOf(keys, { interval: 7 })).to.deep.equal({ interval: 7, agg5minDays: 2 });
    expect(shownSecrets({ password: shown(keys.password) })).to.deep.equal(['password']);
    expect(shownSecrets(fileKeys)).to.deep.equal([]);
  });

  it('keeps the value that the daemon was started with where a running process cannot change it', () => {
    expect(configurationFrom(office).needRestart).to.have.members([
      'nut.max_pollers',
      'supervisor.runtime_directory',
      'supervisor.worker_users',
    ]);
  });
});
