// Transports against TLS, and control of UPSes against authentication (contract 5, interface.md 5).
import { cutsPower } from '../../../shared/domain/power-cutting.js';
import { upsLabel } from '../labels.js';
import type { ConfigFile } from '../schema/file.js';
import { filled } from '../schema/key.js';
import { controlKeys, nutKeys, ownControlKeys } from '../schema/nut.js';
import type { Findings } from './findings.js';

export function checkNut(file: ConfigFile, findings: Findings): void {
  const nut = filled(nutKeys, file.nut);
  const secured = [
    ...(nut.tls === 'required' ? ['tls'] : []),
    ...(nut.ca_file === null ? [] : ['ca_file']),
    ...(nut.pin_sha256 === null || nut.pin_sha256 === '' ? [] : ['pin_sha256']),
  ];
  if (nut.tls === 'off') {
    for (const key of secured) findings.problem(`nut.${key}`, 'has no effect while nut.tls = "off"');
  } else if (secured.length > 0) {
    const what = secured.map((key) => (key === 'tls' ? 'nut.tls = "required"' : `nut.${key}`)).join(' and ');
    const message = `the NUT tools cannot verify TLS, which ${what} asks for; use "network"`;
    const byTools = (file.ups ?? []).filter((ups) => (ups.transport ?? nut.transport) === 'tools');
    for (const ups of byTools.filter((one) => one.transport !== undefined)) {
      findings.problem(`${upsLabel(ups.name)}.transport`, message);
    }
    if (byTools.some((ups) => ups.transport === undefined)) findings.problem('nut.transport', message);
  }
  checkControl(file, findings);
}

function checkControl(file: ConfigFile, findings: Findings): void {
  const control = filled(controlKeys, file.nut_control);
  if (!control.enabled) return;
  if (file.api?.auth?.enabled === false) {
    findings.problem(
      'nut_control.enabled',
      'UPS control needs authentication, and api.auth.enabled = false switches it off; remove one of the two',
    );
  }
  warnOfCommands('nut_control', control.allowed_commands, findings);
  for (const ups of file.ups ?? []) {
    const path = `${upsLabel(ups.name)}.nut_control`;
    if (ups.nut_control?.allowed_commands !== undefined) {
      warnOfCommands(path, ups.nut_control.allowed_commands, findings);
    }
    const own = filled(ownControlKeys, file.nut_control, ups.nut_control);
    if (own.password === null || own.password === '') {
      findings.warning(
        `${path}.password`,
        'missing here and in [nut_control]; a NUT server refuses every command without one',
      );
    }
  }
}

/** The control routes refuse these whatever the list says (contract 7); somebody believes in them nevertheless. */
function warnOfCommands(path: string, commands: readonly string[], findings: Findings): void {
  for (const command of commands.filter(cutsPower)) {
    findings.warning(
      `${path}.allowed_commands`,
      `"${command}" is listed and refused all the same: it cuts power`,
    );
  }
}
