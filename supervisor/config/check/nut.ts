// Checks transports against TLS (specification/nut.md#transports) and UPS control against authentication
// (specification/security.md#authentication).
import type { ControlKind } from '../../../shared/domain/ups/power-cutting.js';
import { powerCut } from '../../../shared/domain/ups/power-cutting.js';
import { selfTestKeys } from '../schema/battery.js';
import { upsLabel } from '../schema/labels.js';
import type { ConfigFile, UpsEntry } from '../schema/file.js';
import type { RawInput } from '../../../shared/domain/base/keys.js';
import { withDefaults } from '../../../shared/domain/base/keys.js';
import { controlKeys, nutKeys, ownControlKeys, ownNutKeys } from '../schema/nut.js';
import type { Findings } from './findings.js';
import { addressOf } from './findings.js';

/** Whether a user exists who could log in. */
export type KnownUsers =
  | { readonly kind: 'some' }
  | { readonly kind: 'none'; readonly database: string }
  /** No rule needs the answer, or the check is disabled. */
  | { readonly kind: 'notChecked' }
  /** The file exists and gives no answer: authentication counts as on (fail closed). */
  | { readonly kind: 'unknown'; readonly why: string };

export function checkNut(file: ConfigFile, findings: Findings, users: KnownUsers): void {
  const nut = withDefaults(nutKeys, file.nut);
  const secured = [
    ...(nut.tls === 'required' ? ['tls'] : []),
    ...(nut.ca_file === null ? [] : ['ca_file']),
    ...(nut.pin_sha256 === null || nut.pin_sha256 === '' ? [] : ['pin_sha256']),
    ...(nut.cert_file === null ? [] : ['cert_file']),
  ];
  if (nut.tls === 'off') {
    for (const key of secured) findings.problem(`nut.${key}`, 'has no effect while nut.tls = "off"');
  } else if (secured.length > 0) {
    // ca_file and pin_sha256 show that the operator expects verification.
    if (nut.tls !== 'required')
      findings.warning(
        'nut.tls',
        `is "opportunistic": ${secured.map((key) => `nut.${key}`).join(' and ')} applies only to servers that offer TLS; ` +
          'a server that refuses TLS is read in plain text; set "required" to prevent that',
      );
    const what = secured.map((key) => (key === 'tls' ? 'nut.tls = "required"' : `nut.${key}`)).join(' and ');
    const message = `the NUT tools have no TLS of this kind, which ${what} asks for; use "network"`;
    const byTools = (file.ups ?? []).filter((ups) => (ups.transport ?? nut.transport) === 'tools');
    for (const ups of byTools.filter(({ transport }) => transport !== undefined)) {
      findings.problem(`${upsLabel(ups.name)}.transport`, message);
    }
    if (byTools.some((ups) => ups.transport === undefined)) findings.problem('nut.transport', message);
  }
  if ((nut.cert_file === null) !== (nut.key_file === null))
    findings.problem(
      nut.cert_file === null ? 'nut.key_file' : 'nut.cert_file',
      'needs both nut.cert_file and nut.key_file',
    );
  for (const ups of file.ups ?? []) {
    checkReadLogin(file, ups, findings);
    checkRole(file, ups, findings);
  }
  checkControl(file, findings, users);
}

function checkRole(file: ConfigFile, ups: UpsEntry, findings: Findings): void {
  const role = ups.nut_role ?? 'observer';
  if (role === 'observer') return;
  const path = `${upsLabel(ups.name)}.nut_role`;
  const { username } = withDefaults(ownNutKeys, file.nut, ups.nut);
  if (username === null)
    findings.problem(
      path,
      `a ${role} logs in: set nut.username and nut.password, of a user with "upsmon ${role}" in upsd.users of the server`,
    );
  if ((ups.transport ?? withDefaults(nutKeys, file.nut).transport) === 'tools')
    findings.problem(
      path,
      `the NUT tools cannot stay logged in; read ${ups.name} with transport = "network"`,
    );
  if (role === 'primary' && file.local_shutdown?.enabled === false)
    findings.warning(
      path,
      'sets FSD only in a sequence that powers this host off, and local_shutdown.enabled is false',
    );
}

function checkReadLogin(file: ConfigFile, ups: UpsEntry, findings: Findings): void {
  const nut = withDefaults(nutKeys, file.nut);
  const { username, password } = withDefaults(ownNutKeys, file.nut, ups.nut);
  const path = ups.nut === undefined ? 'nut' : `${upsLabel(ups.name)}.nut`;
  if ((username === null) !== (password === null))
    findings.problem(
      `${path}.${username === null ? 'password' : 'username'}`,
      'a login for reads needs both username and password',
    );
  if (username === null) return;
  if ((ups.transport ?? nut.transport) === 'tools')
    findings.problem(`${path}.username`, `upsc cannot log in; read ${ups.name} with transport = "network"`);
  const { host } = addressOf(ups.name);
  if (nut.tls !== 'required' && !/^(?:localhost|127\..*|::1)$/.test(host))
    findings.warning(
      `${path}.password`,
      `is sent to ${host} also without TLS, or to a server whose identity is not verified; set nut.tls = "required"`,
    );
}

function checkControl(file: ConfigFile, findings: Findings, users: KnownUsers): void {
  const control = withDefaults(controlKeys, file.nut_control);
  // Also while control is off: the lists take effect when an operator enables it.
  checkLists('nut_control', file.nut_control, findings);
  for (const ups of file.ups ?? [])
    checkLists(`${upsLabel(ups.name)}.nut_control`, ups.nut_control, findings);
  checkSelfTests(file, findings);
  if (!control.enabled) return;
  if (file.api?.auth?.enabled === false) {
    findings.problem(
      'nut_control.enabled',
      'UPS control needs authentication, and api.auth.enabled = false switches it off; remove one of the two',
    );
  }
  checkUsers(users, findings);
  for (const ups of file.ups ?? []) {
    const path = `${upsLabel(ups.name)}.nut_control`;
    const own = withDefaults(ownControlKeys, file.nut_control, ups.nut_control);
    if (own.password === null || own.password === '') {
      findings.warning(
        `${path}.password`,
        'missing here and in [nut_control]; a NUT server refuses every command without one',
      );
    }
  }
}

/** The schedule runs as the NUT user of the UPS. */
function checkSelfTests(file: ConfigFile, findings: Findings): void {
  if (file.nut_control?.enabled === true) return;
  for (const ups of file.ups ?? []) {
    const { enabled } = withDefaults(selfTestKeys, file.self_test, ups.self_test);
    const { password } = withDefaults(ownControlKeys, file.nut_control, ups.nut_control);
    if (enabled && (password === null || password === ''))
      findings.warning(
        `${upsLabel(ups.name)}.self_test.enabled`,
        'has no effect without nut_control.password here or in [nut_control]: a NUT server starts a test only for a user (nut_control.enabled may stay false)',
      );
  }
}

/** With api.auth.enabled unset, authentication is on once a user exists (specification/security.md#authentication). */
function checkUsers(users: KnownUsers, findings: Findings): void {
  if (users.kind === 'none')
    findings.problem(
      'nut_control.enabled',
      `UPS control needs authentication, which is off while there is no user in ${users.database}; ` +
        'create one with: ridethrough user create NAME (it works with this file as it is), or set nut_control.enabled = false',
    );
  if (users.kind === 'unknown')
    findings.warning(
      'nut_control.enabled',
      `the daemon could not read whether a user exists (${users.why}); until it can, authentication counts as on`,
    );
}

type Lists = Pick<RawInput<typeof ownControlKeys>, 'allowed_commands' | 'allowed_variables'>;

/** Neither the API nor MQTT may take power from a load, so no list may allow it (specification/api.md#no-shutdown). */
function checkLists(path: string, lists: Lists | undefined, findings: Findings): void {
  const check = (key: keyof Lists, kind: ControlKind): void => {
    for (const name of new Set(lists?.[key])) {
      const why = powerCut(kind, name);
      if (why !== null)
        findings.problem(
          `${path}.${key}`,
          `"${name}" can take power from a load: it ${why}. Neither the API nor MQTT may do that; remove "${name}" from the list. ` +
            'To cut the output at the end of a shutdown, use [ups_output]',
        );
    }
  };
  check('allowed_commands', 'command');
  check('allowed_variables', 'variable');
}
