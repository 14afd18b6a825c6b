import { expect } from 'chai';
import { upsFamilies } from '../../../../workers/api/metrics/ups-families.js';
import { upsText } from '../../../../workers/api/metrics/ups.js';
import { phases } from '../../../fixtures/phases.js';
import { publishedUps } from '../fixture.js';

describe('the metrics of a UPS of three phases', () => {
  const shown = async (connectionState: 'OK' | 'FAILED'): Promise<readonly string[]> => {
    const ups = [publishedUps({ phases, connectionState })];
    return Buffer.concat(await upsText(upsFamilies('svc'), ups, 'prometheus'))
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('svc_ups_phase_'));
  };

  it('have names of their own, and no sample for a missing value', async () => {
    const of = (phase: string) => `{ups="office@127.0.0.1",label="Office",phase="${phase}"}`;
    expect(await shown('OK')).to.deep.equal([
      `svc_ups_phase_input_voltage${of('L1')} 231`,
      `svc_ups_phase_input_voltage${of('L2')} 0`,
      `svc_ups_phase_output_voltage${of('L1')} 230`,
      `svc_ups_phase_output_voltage${of('L2')} 230`,
      `svc_ups_phase_load_percent${of('L1')} 31`,
      `svc_ups_phase_load_percent${of('L2')} 32`,
      `svc_ups_phase_real_power_watts${of('L1')} 3100`,
      `svc_ups_phase_lost${of('L1')} 0`,
      `svc_ups_phase_lost${of('L2')} 1`,
    ]);
  });

  it('are absent while the connection is lost', async () => expect(await shown('FAILED')).to.deep.equal([]));
});
