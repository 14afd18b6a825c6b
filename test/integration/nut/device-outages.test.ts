// Devices as they are: their dumps in an outage. Any folder of .dev files will do (RIDETHROUGH_DEVICE_DUMPS).
import { testOutagesOf } from '../../device-outages/promises.js';
import { deviceDumps, noDumps } from '../../fixtures/device-dumps.js';
import { skipFor } from '../../fixtures/skip.js';

describe('the outages of real devices', () => {
  const dumps = deviceDumps();

  before(function () {
    skipFor(this, dumps.length === 0 && noDumps);
  });

  testOutagesOf(dumps);
});
