// Rules for [ups_output]: the NUT user must be able to run the command, and this machine needs time to halt before it.
import { upsLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import { localShutdownKeys } from '../schema/host.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { ownControlKeys } from '../schema/nut.js';
import { upsOutputKeys } from '../schema/ups-output.js';
import type { Findings } from './findings.js';

/** An attempt of the power-off has 30 s (specification/sequence.md#phases); a machine then takes about a minute to halt. */
const haltSeconds = 90;

export function checkOutput(file: ConfigFile, findings: Findings): void {
  const local = withDefaults(localShutdownKeys, file.local_shutdown);
  const isCut = (file.ups ?? []).some(
    (ups) => withDefaults(upsOutputKeys, file.ups_output, ups.ups_output).off_after_shutdown,
  );
  if (local.powerdown_flag !== null && isCut)
    findings.problem(
      'local_shutdown.powerdown_flag',
      'and ups_output.off_after_shutdown would both cut the power, the flag by the late hook of NUT; keep one of them',
    );
  for (const ups of file.ups ?? []) {
    const output = withDefaults(upsOutputKeys, file.ups_output, ups.ups_output);
    if (!output.off_after_shutdown) {
      if (ups.ups_output?.cycles_on_mains === true)
        findings.warning(
          `${upsLabel(ups.name)}.ups_output.cycles_on_mains`,
          'has no effect without off_after_shutdown = true: the output is not cut',
        );
      continue;
    }
    const { password } = withDefaults(ownControlKeys, file.nut_control, ups.nut_control);
    const path = upsLabel(ups.name);
    if (password === null || password === '') {
      findings.problem(
        `${path}.nut_control.password`,
        'missing here and in [nut_control]; ups_output.off_after_shutdown needs a NUT user that may set ' +
          `ups.delay.shutdown and run ${output.command} (nut_control.enabled may stay false)`,
      );
    }
    if (!local.enabled) {
      findings.warning(
        `${ups.ups_output?.off_after_shutdown === undefined ? 'ups_output' : `${path}.ups_output`}.off_after_shutdown`,
        'has no effect while local_shutdown.enabled = false: the output stays on while this machine is up',
      );
    }
    const own = ups.ups_output?.off_delay === undefined ? 'ups_output' : `${path}.ups_output`;
    if (local.enabled && output.off_delay < haltSeconds) {
      findings.warning(
        `${own}.off_delay`,
        `${String(output.off_delay)} s: the power-off has 30 s to be accepted and a machine takes about a minute to halt; ` +
          `with less than ${String(haltSeconds)} s the UPS may cut the power while the machine still writes`,
      );
    }
    if (output.command === 'shutdown.stayoff' || output.command === 'load.off.delay') {
      findings.warning(
        `${ups.ups_output?.command === undefined ? 'ups_output' : `${path}.ups_output`}.command`,
        `${output.command} leaves the output off when mains is back: somebody has to switch it on; shutdown.return does not`,
      );
    }
  }
}
