// Whether power of this host is back, as the judge of its restarts takes it: by the readings of the UPSes of its groups.
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { Policies } from '../scenario.js';

/** Its shutdown powers this host off. */
export interface HostGroup {
  readonly groupId: string;
  readonly members: readonly string[];
  readonly minHealthy: number;
}

/** Each lets a member count as DEGRADED or CRITICAL, or its source be in doubt. */
const wordsInDoubt = 'OB FSD BYPASS OFF OVER TRIM BOOST DISCHRG CAL TEST'.split(' ');
/** The narrowest band of the voltage, `voltage_sensitivity = "tight"`. */
const voltageBand = 0.05;

/** OL with OB is either. */
export const mayBeOnLine = ({ status }: Reading): boolean =>
  !status.includes('FSD') && !(status.includes('OB') && !status.includes('OL'));

/** In no doubt, and HEALTHY in every group: a host that powers off in doubt is right. */
export const isOnLine = ({ status, inputVolts, nominalVolts }: Reading): boolean =>
  status.includes('OL') &&
  !status.some((word) => wordsInDoubt.includes(word)) &&
  (inputVolts === null ||
    nominalVolts === null ||
    Math.abs(inputVolts - nominalVolts) <= voltageBand * nominalVolts);

/** The local one; without one `trigger_on = "any"` has all, and no UPS that is a member. */
export function hostGroups({ ups, groups }: Policies): readonly HostGroup[] {
  const single = ups
    .filter(({ isLocal, groups: memberOf }) => isLocal || memberOf.length === 0)
    .map(({ groupId, isLocal }) => ({ groupId, isLocal, members: [groupId], minHealthy: 1 }));
  const all = [...single, ...groups];
  const local = all.filter(({ isLocal }) => isLocal);
  return local.length > 0 ? local : all;
}
