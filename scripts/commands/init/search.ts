// Looks for the UPSes of NUT servers and at what each reports. Servers are hostile: every answer is bounded in size and time,
// and so is the number of UPSes.
import { parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import type { BatteryRule } from '../../../shared/domain/triggers/table.js';
import { triggersOnByDefault, triggerSettings } from '../../../shared/domain/triggers/table.js';
import { settingsOf } from '../../../shared/domain/base/keys.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { clockAtStart } from '../../../supervisor/policy/base/clock.js';
import { acceptReading, noReadings } from '../../../supervisor/policy/power/readings.js';
import {
  noReportedQuantities,
  reportedQuantitiesAfter,
  triggersWithoutData,
} from '../../../supervisor/policy/power/reported-quantities.js';
import { ServerAddress } from '../../../workers/poller/wire/address.js';
import { Deadline } from '../../../workers/poller/wire/deadline.js';
import type { NutAnswer } from '../../../workers/poller/wire/errors.js';
import { answerOf } from '../../../workers/poller/wire/errors.js';
import type { NutCredentials } from '../../../workers/poller/wire/login.js';
import { asksForLogin, loginOf } from '../../../workers/poller/wire/login.js';
import { readingOf } from '../../../workers/poller/reading/reading.js';
import { NutSession } from '../../../workers/poller/session/session.js';
import { requestLine } from '../../../workers/poller/wire/wire.js';
import { isUpsName } from './ups-names.js';

export interface Server {
  readonly host: string;
  readonly port: number;
}

/** What one reading shows of a UPS. */
export interface Look {
  readonly reading: Reading;
  /** The triggers that are on by default, and whether it can feed them. */
  readonly fed: readonly BatteryRule[];
  readonly unfed: readonly BatteryRule[];
}

export interface FoundUps {
  /** As the configuration names it. */
  readonly name: string;
  /** As ups.conf describes it; "" for nothing. */
  readonly description: string;
  readonly look: NutAnswer<Look>;
}

export interface Searched {
  readonly server: Server;
  readonly upses: NutAnswer<readonly FoundUps[]>;
  /** UPSes above the limit, or with a name that no configuration can have. */
  readonly skipped: number;
  /** The server has refused reads without a login. */
  readonly wantsLogin: boolean;
}

/** A person waits for it. */
const limits = { serverMs: 10_000, readMs: 3_000 };
/** More than anybody types into a first configuration. */
const maxUpses = 50;
/** `upsd` writes this for a UPS without `desc`. */
const noDescription = 'Description unavailable';
const tls = { mode: 'opportunistic', caPem: null, pinSha256: null, client: null } as const;

/** HOST[:PORT], an IPv6 address in brackets. */
export function parseServer(text: string): Server | undefined {
  const parsed = parseUpsName(`x@${text}`);
  return parsed === undefined ? undefined : { host: parsed.host, port: parsed.port };
}

/** As the configuration would name a UPS of this server. */
export function upsNameAt(ups: string, { host, port }: Server): string {
  const place = host.includes(':') ? `[${host}]` : host;
  return `${ups}@${place}${port === 3493 ? '' : `:${String(port)}`}`;
}

/** Never rejects. `login` is sent only to a server that refuses to answer without one. */
export async function search(
  server: Server,
  login: NutCredentials | null,
  within = limits,
): Promise<Searched> {
  const first = await searchWith(server, null, within);
  const wantsLogin = !first.upses.ok && asksForLogin(first.upses.failure);
  const needsLogin =
    wantsLogin ||
    (first.upses.ok && first.upses.value.some(({ look }) => !look.ok && asksForLogin(look.failure)));
  if (!needsLogin || login === null) return { ...first, wantsLogin: needsLogin };
  return { ...(await searchWith(server, login, within)), wantsLogin: true };
}

async function searchWith(
  server: Server,
  login: NutCredentials | null,
  { serverMs, readMs }: typeof limits,
): Promise<Omit<Searched, 'wantsLogin'>> {
  const deadline = new Deadline(serverMs);
  const session = new NutSession({
    ...server,
    tls,
    address: new ServerAddress(server.host),
    logIn: login === null ? null : loginOf(login),
    logInIfRefused: null,
  });
  let skipped = 0;
  try {
    const upses = await session.inTurn<readonly FoundUps[]>(
      deadline,
      async (ask) => {
        const list = await ask('LIST UPS', { kind: 'list', of: 'UPS', query: [] }, deadline);
        if (!list.ok) return list;
        const rows = list.value.kind === 'rows' ? list.value.rows : [];
        const usable = rows.filter(([ups = '']) => isUpsName(upsNameAt(ups, server)));
        const kept = usable.slice(0, maxUpses);
        skipped = rows.length - kept.length;
        const found: FoundUps[] = [];
        for (const [ups = '', description = ''] of kept) {
          const within = new Deadline(Math.min(readMs, deadline.remainingMs));
          const line = requestLine('LIST VAR', ups) ?? '';
          const answer = await ask(line, { kind: 'list', of: 'VAR', query: [ups] }, within);
          const look = answer.ok
            ? answerOf(lookAt(answer.value.kind === 'rows' ? answer.value.rows : []))
            : answer;
          found.push({
            name: upsNameAt(ups, server),
            description: description === noDescription ? '' : shortened(description),
            look,
          });
        }
        return answerOf(found);
      },
      { notice: () => undefined, activate: () => undefined },
    );
    return { server, upses, skipped };
  } finally {
    session.close();
  }
}

/** One line that a name in the configuration may have. */
const shortened = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, 60);

function lookAt(rows: readonly (readonly string[])[]): Look {
  const variables: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name = '', value = ''] of rows) variables[name] = value;
  // With the rules by which the daemon accepts a reading and says what a UPS has no data for; nothing is known from before.
  const readings = acceptReading(noReadings, readingOf(variables), variables, {
    ...clockAtStart,
    askedMs: 0,
  });
  const settings = triggerSettings(settingsOf(triggerKeys));
  const reportedQuantities = reportedQuantitiesAfter(noReportedQuantities, readings.last, variables);
  const unfed = triggersWithoutData({ readings, reportedQuantities, estimate: null }, settings);
  const fed = triggersOnByDefault.filter((rule) => !unfed.includes(rule));
  return { reading: readings.last.reading, fed, unfed };
}
