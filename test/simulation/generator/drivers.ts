// Draws the NUT drivers of a site: those that read the device at every poll, and those that hold a sample for up to half a minute.
import type { Random } from '../random.js';
import type { Driver, Site } from '../scenario.js';

export const instantDriver: Driver = {
  name: '',
  valuesMs: 0,
  statusMs: 0,
  lateMs: 0,
  showsValues: false,
  showsStatus: false,
};

/** Half of the UPSes keep a driver that holds nothing; some have the keys that override what is shown. */
export function withDrivers(random: Random, site: Site): Site {
  return {
    ...site,
    ups: site.ups.map((one) => {
      const driver = random.chance(0.5) ? instantDriver : holding(random);
      const set = () => (random.chance(0.1) ? random.pick([0, 1_000, 10_000, 45_000]) : null);
      return { ...one, driver, policy: { ...one.policy, holds: { valueMs: set(), statusMs: set() } } };
    }),
  };
}

function holding(random: Random): Driver {
  const statusMs = random.pick([1_000, 2_000, 2_000, 5_000]);
  switch (random.weighted({ usb: 50, snmp: 20, other: 20, lying: 10 })) {
    case 'usb': {
      const name = random.pick(['usbhid-ups', 'nutdrv_qx']);
      const showsValues = random.chance(0.8);
      return {
        name,
        statusMs,
        valuesMs: showsValues ? random.pick([5_000, 15_000, 30_000]) : 30_000,
        lateMs: statusMs,
        showsValues,
        showsStatus: true,
      };
    }
    case 'snmp':
      return {
        name: 'snmp-ups',
        statusMs: 30_000,
        valuesMs: 30_000,
        lateMs: 2_000,
        showsValues: false,
        showsStatus: false,
      };
    case 'other':
      return {
        name: 'apcsmart',
        statusMs,
        valuesMs: statusMs,
        lateMs: 0,
        showsValues: false,
        showsStatus: random.chance(0.7),
      };
    case 'lying':
      return {
        name: 'dummy-ups',
        statusMs,
        valuesMs: 30_000,
        lateMs: 0,
        showsValues: false,
        showsStatus: true,
      };
  }
}
