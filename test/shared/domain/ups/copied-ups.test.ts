import { expect } from 'chai';
import { copyWarning } from '../../../../shared/domain/ups/copied-ups.js';

const copy = {
  'driver.name': 'dummy-ups',
  'driver.parameter.mode': 'repeater',
  'driver.parameter.port': 'ups@nas',
};

describe('a UPS that dummy-ups shows', () => {
  it('is a copy whose server may be lost unseen', () => {
    expect(copyWarning(copy)).to.equal(
      'dummy-ups copies it from ups@nas, and may show the last values for ever when it loses that server: an outage would ' +
        'not be seen; name that server in this configuration',
    );
  });

  it('is a copy where a driver before NUT 2.8 shows no mode', () => {
    expect(copyWarning({ 'driver.name': 'dummy-ups', 'driver.parameter.port': 'ups@nas' })).to.include(
      'ups@nas',
    );
  });

  it('is no copy where it reads a file, or is of another driver', () => {
    expect(copyWarning({ ...copy, 'driver.parameter.mode': 'dummy-loop' })).to.equal('');
    expect(copyWarning({ 'driver.name': 'dummy-ups', 'driver.parameter.port': 'x728.dev' })).to.equal('');
    expect(copyWarning({ ...copy, 'driver.name': 'usbhid-ups' })).to.equal('');
    expect(copyWarning({})).to.equal('');
  });
});
