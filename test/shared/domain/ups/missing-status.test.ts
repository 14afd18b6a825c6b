import { expect } from 'chai';
import { missingStatus } from '../../../../shared/domain/ups/missing-status.js';

describe('the status of a device that answers', () => {
  it('is missed, with what to do', () => {
    // networkupstools/nut#2793: a CyberPower behind snmp-ups with the wrong MIB.
    expect(missingStatus({ 'ups.status': '', 'battery.charge': '100', 'driver.name': 'snmp-ups' })).to.match(
      /shows an empty ups\.status: .* other mibs of snmp-ups, may$/,
    );
    expect(missingStatus({ 'battery.charge': '100' })).to.match(/shows no ups\.status/);
    expect(missingStatus({ 'device.type': 'pdu', 'outlet.1.status': 'on' })).to.match(
      /^it is a PDU .* take it out/,
    );
    expect(missingStatus({ 'device.type': 'ATS', 'input.source': '1' })).to.match(/^it is a transfer switch/);
  });

  it('is not missed where there is one, or no device', () => {
    expect(missingStatus({ 'ups.status': 'OL' })).to.equal('');
    expect(missingStatus({ 'ups.status': 'WAIT' })).to.equal('');
    expect(missingStatus({ 'device.type': 'pdu', 'ups.status': 'OL' })).to.equal('');
    expect(missingStatus({})).to.equal('');
  });
});
