import { expect } from 'chai';
import { loadText } from '../../../supervisor/config/load/load.js';

describe('one UPS under two names', () => {
  // upsd compares names without case, and every loopback address is this machine.
  for (const other of ['OFFICE@localhost', 'office@127.0.0.1', 'office@[::1]'])
    it(`is a problem or a warning: office@localhost and ${other}`, () => {
      const loaded = loadText(
        `[[ups]]\nname = "office@localhost"\n[[ups]]\nname = "${other}"\n[[redundancy_groups]]\nname = "host"\nis_local = true\nmin_healthy = 2\nups_sources = ["office@localhost", "${other}"]\n`,
        {},
        undefined,
        false,
      );
      const told = loaded.ok ? loaded.configuration.warnings : loaded.problems.map(({ message }) => message);
      expect(told.join('\n')).to.match(/the same UPS/);
    });
});
