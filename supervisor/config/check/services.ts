// Rules for notification services: an address once, headers where there is HTTP, names that exist. No message repeats an address.
import { serviceAddress } from '../../../shared/domain/services/service-address.js';
import { settingsOf } from '../../../shared/domain/base/keys.js';
import type { ConfigFile } from '../schema/file.js';
import { notificationKeys } from '../schema/notifications.js';
import type { Findings } from './findings.js';
import { unknownSource } from './findings.js';

const pathOf = (index: number): string => `notifications.services[${String(index)}]`;

/** The addresses as they were read; one that could not be read is "". */
export function checkServices(notifications: ConfigFile['notifications'], findings: Findings): void {
  const { urls, services } = settingsOf(notificationKeys, notifications);
  const places = new Map(urls.map((url, index) => [url, `notifications.urls[${String(index)}]`]));
  for (const [index, url] of urls.entries())
    nameUnread(`notifications.urls[${String(index)}]`, url, findings);
  for (const [index, { url, headers }] of services.entries()) {
    if (url === '') continue;
    const path = pathOf(index);
    const other = places.get(url);
    if (other === undefined) places.set(url, `${path}.url`);
    else findings.problem(`${path}.url`, `is the address of ${other} too; keep one of the two`);
    for (const [name, value] of Object.entries(headers))
      // RFC 9110, 5.5.
      if (!/^[\x20-\x7e\x80-\xff]*$/.test(value))
        findings.problem(
          `${path}.headers.${name}`,
          'contains a character that an HTTP header may not contain',
        );
    nameUnread(`${path}.url`, url, findings);
    const parsed = serviceAddress(url);
    if (parsed.ok && parsed.address.kind === 'mail' && Object.keys(headers).length > 0)
      findings.problem(`${path}.headers`, 'a mail takes no headers; they are for services over HTTP');
  }
}

/** A warning: release 1.0.0 took such an address. */
function nameUnread(path: string, url: string, findings: Findings): void {
  const parsed = serviceAddress(url);
  if (!parsed.ok || parsed.unread.length === 0) return;
  findings.warning(
    path,
    `${parsed.unread.join(' and ')}: ${parsed.address.kind} gets nothing of this; correct or remove it`,
  );
}

/** The rules of each service. `upsesComplete` false: some UPSes could not be decoded, which is reported elsewhere. */
export function checkServiceRules(file: ConfigFile, findings: Findings, upsesComplete: boolean): void {
  for (const [index, service] of (file.notifications?.services ?? []).entries()) {
    const path = pathOf(index);
    for (const name of upsesComplete ? (service.ups ?? []) : []) {
      const fault = unknownSource(file, name);
      if (fault !== undefined) findings.problem(`${path}.ups`, fault);
    }
    if ((service.after ?? 0) > 0 && file.notifications?.suppress?.includes('POWER_RESTORED') === true)
      findings.warning(
        `${path}.after`,
        'waits for POWER_RESTORED, which notifications.suppress suppresses: a brief outage would be reported without its end',
      );
    if ((service.digest ?? 0) > 0 && (service.after ?? 0) === 0)
      findings.problem(
        `${path}.digest`,
        'reports outages shorter than "after", which is 0; give "after" too',
      );
  }
}
