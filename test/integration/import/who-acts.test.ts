// "Nothing goes down earlier than before, or not at all, without being told": the real programs are the judges.
import { expect } from 'chai';
import { until } from '../../fixtures/until.js';
import { onLine } from '../../fixtures/real-upsd.js';
import type { Act, Files } from './two-hosts.js';
import { TwoHosts, uptimeSeconds } from './two-hosts.js';

const values = 'battery.charge: 45\nbattery.runtime: 3000\nups.load: 23\n';
// The driver compares charge and low mark at the status: it is last.
const dark = `${values}ups.status: OB DISCHRG\n`;
const low = `${values}ups.status: OB DISCHRG LB\n`;
const seen = 'AT ONBATT * EXECUTE seen\nAT ONLINE * EXECUTE back\nAT LOWBATT * EXECUTE low';
const notes = 'seen) logger seen ;;\nback) logger back ;;\nlow) logger low ;;\n';

interface Form extends Files {
  readonly title: string;
  /** How the outage goes; default: until each side that is to act has acted. */
  readonly outage?: (hosts: TwoHosts, form: Form) => Promise<unknown>;
  /** The program by which each side goes down. */
  readonly upsmonBy: string | null;
  readonly daemonBy: 'off' | null;
  /** Seconds on battery before which neither acts. */
  readonly after?: number;
  /** What init has said of it. */
  readonly told: readonly RegExp[];
}

const noPause = /FINALDELAY.*upsmon waited 5 s/;
const addsUp = /START-TIMER off \d: carried; but there each outage began at 0; here .* add up/;

const forms: readonly Form[] = [
  {
    title: 'LB, and a battery above it',
    upssched: seen,
    script: notes,
    outage: async (hosts) => {
      await hosts.reads(dark);
      await both(hosts, 'logger', 1);
      expect(hosts.downs()).to.deep.equal([]);
      await hosts.reads(low);
      await both(hosts, 'off', 1);
    },
    upsmonBy: 'off',
    daemonBy: 'off',
    told: [noPause],
  },
  {
    title: 'a timer of upssched',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 3\nAT ONLINE * CANCEL-TIMER off`,
    script: `${notes}off) upsmon -c fsd ;;`,
    upsmonBy: 'off',
    daemonBy: 'off',
    after: 3,
    told: [noPause, addsUp],
  },
  {
    title: 'a timer that a short outage cancels',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 9\nAT ONLINE * CANCEL-TIMER off`,
    script: `${notes}off) shutdown -h now ;;`,
    outage: async (hosts) => {
      await shortOutage(hosts);
      // Each would have acted by then in the first outage.
      await hosts.reads(dark);
      await hosts.did('upsmon', 'shutdown');
      await hosts.did('daemon', 'off');
    },
    upsmonBy: 'shutdown',
    daemonBy: 'off',
    told: [addsUp],
  },
  {
    title: 'a timer that nothing cancels',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 4`,
    script: `${notes}off) upsmon -c fsd ;;`,
    outage: async (hosts) => {
      await shortOutage(hosts);
      await hosts.did('upsmon', 'off');
    },
    upsmonBy: 'off',
    daemonBy: null,
    told: [/AT ONBATT .* START-TIMER off 4: carried; but there it went on when the power was back/],
  },
  {
    title: 'a shutdown in a minute that line power takes back',
    upssched: 'AT ONBATT * EXECUTE off\nAT ONLINE * EXECUTE on\nAT ONLINE * EXECUTE back',
    script: `${notes}off) shutdown -h +1 ;;\non) shutdown -c ;;`,
    outage: async (hosts) => {
      expect(hosts.config).to.match(/^threshold = 60 .*EXECUTE off$/m);
      await hosts.reads(dark);
      await hosts.did('upsmon', 'shutdown');
      await hosts.daemon.logged('ON_BATTERY');
      await hosts.reads(onLine);
      await until(() => hosts.acts('upsmon', 'shutdown').at(-1)?.words === '-c');
      await hosts.daemon.logged('POWER_RESTORED');
    },
    upsmonBy: null,
    daemonBy: null,
    told: [/EXECUTE on: it takes a shutdown back/],
  },
  {
    title: 'FINALDELAY of a primary',
    role: 'primary',
    upsmon: 'FINALDELAY 2\n',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 2\nAT ONLINE * CANCEL-TIMER off`,
    script: `${notes}off) upsmon -c fsd ;;`,
    upsmonBy: 'off',
    daemonBy: 'off',
    after: 2,
    told: [/FINALDELAY.*upsmon waited 2 s/],
  },
  {
    title: 'a branch that does other things first',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 2\nAT ONLINE * CANCEL-TIMER off`,
    script: `${notes}off)\n logger going\n ssh admin@nas.invalid sudo poweroff\n sleep 1\n poweroff\n ;;`,
    upsmonBy: 'poweroff',
    daemonBy: 'off',
    // upssched counts whole seconds: its 2 may be 1 and a little, and then comes the sleep.
    after: 2,
    told: [
      /CMDSCRIPT line \d+ \(off\), logger: it ran with the shutdown/,
      /ssh admin@nas\.invalid: another machine; as a remote server, which goes down when a trigger is met/,
      /START-TIMER off 2: carried; but there it went on/,
    ],
  },
  {
    title: 'another machine over ssh',
    upssched: `${seen}\nAT ONBATT * EXECUTE nas`,
    script: `${notes}nas) ssh admin@nas.invalid sudo shutdown -h now ;;`,
    outage: async (hosts) => {
      await hosts.reads(dark);
      await both(hosts, 'ssh', 1);
      await ends(hosts);
    },
    upsmonBy: null,
    daemonBy: null,
    told: [
      /ssh admin@nas\.invalid: another machine; as a remote server, which goes down when a trigger is met/,
    ],
  },
  {
    title: 'a program of the operator, which may shut down',
    upssched: `${seen}\nAT ONBATT * START-TIMER off 2\nAT ONLINE * CANCEL-TIMER off`,
    script: `${notes}off) {bin}/node-down now ;;`,
    upsmonBy: 'node-down',
    daemonBy: null,
    told: [/node-down: not a program that init knows\. It is a hook, and no trigger\. If it shuts/],
  },
  {
    title: 'a shutdown only where upsc shows OB',
    upssched: `${seen}\nAT ONBATT * START-TIMER check 2`,
    script: `${notes}check)\n if upsc office ups.status | grep -q OB; then upsmon -c fsd; fi\n ;;`,
    outage: async (hosts) => {
      await hosts.reads(dark);
      await both(hosts, 'upsc', 1);
      await hosts.did('upsmon', 'off');
      await ends(hosts);
    },
    upsmonBy: 'off',
    daemonBy: null,
    told: [/upsmon: whether it shuts down depends on what only the running script knows/],
  },
  {
    title: 'NOTIFYCMD without upssched',
    script: 'ONLINE) logger back ;;\nONBATT) logger seen; sleep 2; upsmon -c fsd ;;',
    upsmonBy: 'off',
    daemonBy: 'off',
    after: 2,
    told: [/NOTIFYCMD line \d+ \(ONBATT\), logger/, /ONBATT EXEC: carried; but there it went on/],
  },
  {
    title: 'a script that shuts down at LOWBATT',
    upssched: `${seen}\nAT LOWBATT * EXECUTE off`,
    script: `${notes}off) upsmon -c fsd ;;`,
    outage: async (hosts) => {
      await hosts.reads(low);
      await both(hosts, 'off', 1);
    },
    upsmonBy: 'off',
    daemonBy: 'off',
    told: [/EXECUTE off: it shut down at LB/],
  },
  {
    title: 'a low mark that ignorelb compares',
    driverLines: ' ignorelb\n override.battery.charge.low = 50\n',
    upssched: seen,
    script: notes,
    upsmonBy: 'off',
    daemonBy: 'off',
    told: [],
  },
  {
    title: 'a low mark without ignorelb',
    driverLines: ' override.battery.charge.low = 50\n',
    upssched: seen,
    script: notes,
    outage: async (hosts) => {
      await hosts.reads(dark);
      await both(hosts, 'logger', 1);
      await ends(hosts);
    },
    upsmonBy: null,
    daemonBy: null,
    told: [/override\.battery\.charge\.low: without ignorelb it changes what the variable shows/],
  },
  {
    title: 'a server that is lost on battery',
    upsmon: 'DEADTIME 4\n',
    upssched: seen,
    script: notes,
    outage: async (hosts) => {
      await hosts.reads(dark);
      await both(hosts, 'logger', 1);
      await Promise.all(hosts.servers.map((server) => server.stopServer()));
      await both(hosts, 'off', 1);
    },
    upsmonBy: 'off',
    daemonBy: 'off',
    told: [],
  },
];

describe('the same outage for upsmon and for the configuration that init made of its files', () => {
  for (const form of forms)
    it(form.title, async () => {
      const hosts = await TwoHosts.start(form);
      try {
        const at = uptimeSeconds();
        await (form.outage ?? untilBoth)(hosts, form);
        for (const told of form.told) expect(oneLine(hosts.said)).to.match(told);
        expect(downOf(hosts, 'upsmon'), 'upsmon').to.equal(form.upsmonBy);
        expect(downOf(hosts, 'daemon'), 'the daemon').to.equal(form.daemonBy);
        for (const act of hosts.downs()) expect(act.at - at, act.side).to.be.at.least(form.after ?? 0);
        // As its own record says; the wait of an outage that the import did not lower is 30 s.
        const [, onBattery = '0'] =
          /started: EXTENDED_TIME: on battery for (\d+) s/.exec(hosts.daemon.log()) ?? [];
        expect(Number(onBattery), 'seconds on battery').to.be.below(30);
        if (form.upsmonBy === null || form.daemonBy !== null) return;
        expect(form.told, 'what only upsmon does is told').not.to.deep.equal([]);
      } finally {
        await hosts.stop();
      }
    });
});

async function untilBoth(hosts: TwoHosts, { upsmonBy, daemonBy }: Form): Promise<void> {
  await hosts.reads(dark);
  if (upsmonBy !== null) await hosts.did('upsmon', upsmonBy);
  if (daemonBy !== null) await hosts.did('daemon', daemonBy);
  else await ends(hosts);
}

const both = (hosts: TwoHosts, program: string, times: number): Promise<unknown> =>
  Promise.all([hosts.did('upsmon', program, times), hosts.did('daemon', program, times)]);

/** The outage ends for the daemon, which has then decided about all of it. */
async function ends(hosts: TwoHosts): Promise<void> {
  await hosts.reads(onLine);
  await hosts.daemon.logged('POWER_RESTORED');
}

async function shortOutage(hosts: TwoHosts): Promise<void> {
  await hosts.reads(dark);
  await both(hosts, 'logger', 1);
  await hosts.reads(onLine);
  await both(hosts, 'logger', 2);
  expect(hosts.downs()).to.deep.equal([]);
}

/** The program by which a side went down; null where it did not, or took it back. */
function downOf(hosts: TwoHosts, side: Act['side']): string | null {
  const programs = hosts.downs().flatMap((act) => (act.side === side ? [act.program] : []));
  expect(programs.length, programs.join()).to.be.at.most(1);
  return programs[0] ?? null;
}

const oneLine = (text: string): string => text.replaceAll(/\n {4,}/g, ' ');
