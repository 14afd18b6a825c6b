import { expect } from 'chai';
import { NutTools } from '../../../workers/poller/session/tools.js';
import type { Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import type { Refusal } from '../../fixtures/old-nut-tools.js';
import { OldNutTools } from '../../fixtures/old-nut-tools.js';

const login = { username: 'admin', password: 'secret' };
const patientMs = 20_000;
const accepted = { ok: true, value: 'OK' };
const glibc: Refusal = { words: "$0: invalid option -- '$OPTARG'", to: 'stderr', exitCode: 0 };
const musl: Refusal = { words: '$0: unrecognized option: $OPTARG', to: 'stdout', exitCode: 1 };

describe('the tools of NUT 2.7.4, which lack tracking,', () => {
  let server: Misbehaving;
  let installed: OldNutTools;
  let tools: NutTools;
  afterEach(async () => {
    tools.close();
    await installed.remove();
    await server.stop();
  });
  async function start(refusal: Refusal, answer = 'OK'): Promise<void> {
    installed = await OldNutTools.install(refusal);
    server = await misbehavingUpsd((line, socket) => {
      socket.write(`${/^(?:USERNAME|PASSWORD)/.test(line) ? 'OK' : answer}\n`);
    });
    tools = new NutTools({ name: `ups@${server.host}:${String(server.port)}`, login });
  }

  for (const [libc, refusal] of [
    ['glibc', glibc],
    ['musl', musl],
  ] as const) {
    it(`run a command once and write a variable once: accepted, not done (${libc})`, async () => {
      await start(refusal);
      expect(await tools.runCommand('test.battery.start', '10 s', patientMs)).to.deep.equal(accepted);
      expect(await tools.writeVariable('ups.id', 'rack 7', patientMs)).to.deep.equal(accepted);
      const signedIn = ['USERNAME admin', 'PASSWORD secret'];
      expect(server.received).to.deep.equal([
        ...signedIn,
        'INSTCMD ups test.battery.start "10 s"',
        ...signedIn,
        'SET VAR ups ups.id "rack 7"',
      ]);
    });
  }

  it('are probed for tracking once: the next change takes one process, which gets no password', async () => {
    await start(glibc);
    await tools.writeVariable('ups.id', 'rack 7', patientMs);
    await tools.runCommand('beeper.mute', null, patientMs);
    const target = `-u admin -- ups@${server.host}:${String(server.port)}`;
    expect(await installed.runs()).to.deep.equal([
      `upsrw -s ups.id=rack 7 -w -t 20 ${target}`,
      `upsrw -s ups.id=rack 7 ${target}`,
      `upscmd ${target} beeper.mute`,
    ]);
  });

  it('report what the server rejects, after one attempt', async () => {
    await start(glibc, 'ERR CMD-NOT-SUPPORTED');
    const done = await tools.runCommand('beeper.mute', null, patientMs);
    expect(done).to.have.nested.property('failure.code', 'CMD-NOT-SUPPORTED');
    expect(server.received.filter((line) => line.startsWith('INSTCMD'))).to.have.length(1);
  });
});
