import { expect } from 'chai';
import { cutDelay, isAskedTwice, offeredDelay } from '../../../../shared/domain/ups/output-start.js';

describe('the delay that is written to a UPS', () => {
  // upsrw of apcsmart on a Smart-UPS 1500.
  const smart = { enum: ['020', '180', '300', '600'] };

  it('is the least of its list that is long enough, in its words', () => {
    expect(offeredDelay(120, smart)).to.equal('180');
    expect(offeredDelay(15, smart)).to.equal('020');
    expect(offeredDelay(300, smart)).to.equal('300');
  });

  it('is its least bound where that is longer', () => {
    expect(offeredDelay(120, { range: [{ min: 12, max: 600 }] })).to.equal('120');
    expect(offeredDelay(120, { range: [{ min: 180, max: 600 }] })).to.equal('180');
  });

  it('is the wanted one where nothing long enough, or nothing at all, is listed', () => {
    expect(offeredDelay(900, smart)).to.equal('900');
    expect(offeredDelay(900, { range: [{ min: 12, max: 600 }] })).to.equal('900');
    expect(offeredDelay(120, { enum: ['never', ''] })).to.equal('120');
    expect(offeredDelay(120, {})).to.equal('120');
    expect(offeredDelay(120, undefined)).to.equal('120');
  });
});

describe('the cut of an output', () => {
  it('is asked for twice with the drivers of the smart protocol of APC', () => {
    for (const driver of ['apcsmart', 'apcsmart-old'])
      expect(isAskedTwice({ 'driver.name': driver }), driver).to.equal(true);
    for (const driver of ['usbhid-ups', 'snmp-ups', ''])
      expect(isAskedTwice({ 'driver.name': driver }), driver).to.equal(false);
    expect(isAskedTwice({})).to.equal(false);
  });
});

describe('the delay of a cut', () => {
  const of = (offDelaySeconds: number, variables: Readonly<Record<string, string>>) =>
    cutDelay({ command: 'shutdown.return', offDelaySeconds }, variables);

  it('is in whole minutes for devices that round down to them', () => {
    for (const variables of [
      { 'driver.name': 'nutdrv_qx' },
      { 'driver.name': 'blazer_usb' },
      { 'driver.name': 'usbhid-ups', 'driver.version.data': 'CyberPower HID 0.6' },
      { 'driver.name': 'usbhid-ups', 'ups.vendorid': '0764' },
    ]) {
      expect(of(90, variables), JSON.stringify(variables)).to.equal(120);
      expect(of(120, variables), JSON.stringify(variables)).to.equal(120);
    }
  });

  it('is that of the file for any other', () => {
    expect(of(90, { 'driver.name': 'usbhid-ups', 'driver.version.data': 'MGE HID 1.46' })).to.equal(90);
    expect(of(90, {})).to.equal(90);
  });
});
