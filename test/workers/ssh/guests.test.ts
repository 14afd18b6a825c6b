// Guests of hypervisors that a person or a job holds: the programs refuse as the real ones do.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ActionHost } from '../../fixtures/action-host.js';

/** A guest is a file: its state, its name, and with `lock.ID` beside it the job that holds it. */
const common = (host: ActionHost): string => `echo "$(basename "$0") $*" >> ${host.notes}
cd ${host.folder}/guests || exit 9
state() { sed -n 1p "$1" 2>/dev/null; }
called() { sed -n 2p "$1"; }
becomes() { { echo "$2"; called "$1"; } >"$1.new"; mv "$1.new" "$1"; }
ends() { ( sleep 1; echo "CLEAN $1" >> ${host.notes}; rm -f "$1" ) >/dev/null 2>&1 & }
refuse() { echo "$*" >&2; exit 1; }
`;

const virsh = `[ "$1" = -q ] && shift
case $1 in
list) for one in [0-9]*; do [ ! -e "$one" ] || echo "$one"; done; echo ;;
domname) called "$2"; echo ;;
domstate) state "$2"; echo ;;
resume) case $(state "$2") in (paused*) becomes "$2" 'running (unpaused)' ;; (*) refuse 'error: domain is not paused' ;; esac ;;
dompmwakeup) [ "$(state "$2")" = 'pmsuspended (unknown)' ] || refuse 'error: domain is not suspended'; becomes "$2" 'running (event wakeup)' ;;
shutdown) case $(state "$2") in ('running (migrates)') becomes "$2" 'paused (migrating)' ;; (running*) ends "$2" ;; (paused*) ;; (*) refuse 'error: Requested operation is not valid' ;; esac ;;
destroy) echo "DESTROYED $2" >> NOTES; rm -f "$2" ;;
esac`;

const qm = `case $1 in
list) printf '%10s %-20s %-10s %-10s %12s %-10s\\n' VMID NAME STATUS 'MEM(MB)' 'BOOTDISK(GB)' PID
  for one in [0-9]*; do [ ! -e "$one" ] || printf '%10s %-20s %-10s %-10s %12s %-10s\\n' "$one" "$(called "$one")" "$(state "$one")" 2048 32.00 77; done ;;
status) [ ! -e "lock.$2" ] || echo "lock: $(cat "lock.$2")"; echo "qmpstatus: $(state "$2")"; echo 'status: running' ;;
resume) case $(state "$2") in (paused | prelaunch | suspended) becomes "$2" running ;; (*) refuse 'cannot resume' ;; esac ;;
shutdown) [ ! -e "lock.$2" ] || refuse "VM is locked ($(cat "lock.$2"))"
  case $(state "$2") in (running) ends "$2"; sleep 2 ;; (paused | prelaunch) refuse 'VM is paused - cannot shutdown' ;; (*) sleep "$4"; refuse 'VM quit/powerdown failed - got timeout' ;; esac ;;
stop) echo "DESTROYED $2" >> NOTES; rm -f "$2" ;;
esac`;

const xe = `for word in "$@"; do case $word in uuid=*) id=\${word#uuid=} ;; force=true) forced=yes ;; param-name=*) param=\${word#*=} ;; esac; done
case $1 in
host-list) echo here ;;
vm-list) out=; for one in [0-9]*; do [ ! -e "$one" ] || out=$out,$one; done; echo "\${out#,}" ;;
vm-param-get) case $param in (power-state) state "$id" ;; (current-operations) cat "lock.$id" 2>/dev/null ;; (*) called "$id" ;; esac ;;
vm-unpause) [ "$(state "$id")" = paused ] || refuse VM_BAD_POWER_STATE; becomes "$id" running ;;
vm-shutdown) if [ -n "$forced" ]; then echo "DESTROYED $id" >> NOTES; rm -f "$id"
  elif [ -e "lock.$id" ]; then refuse "The operation could not be performed because $(cat "lock.$id") is in progress"
  elif [ "$(state "$id")" = running ]; then ends "$id"; else refuse VM_BAD_POWER_STATE; fi ;;
esac`;

const esxi = `case $1 in
vmsvc/getallvms) echo 'Vmid   Name   File   Guest OS   Version   Annotation'
  for one in [0-9]*; do [ ! -e "$one" ] || printf '%-6s %s   [datastore1] x/x.vmx   debian11_64Guest   vmx-19\\n' "$one" "$(called "$one")"; done ;;
vmsvc/power.getstate) if [ -e "$2" ]; then echo 'Powered on'; else echo 'Powered off'; fi ;;
vmsvc/get.guest) printf '   toolsStatus = "toolsOk",\\n   guestState = "%s",\\n' "$(state "$2")" ;;
vmsvc/power.on) [ "$(state "$2")" = standby ] || refuse '(vim.fault.InvalidPowerState)'; becomes "$2" running ;;
vmsvc/power.shutdown) [ "$(state "$2")" = running ] || refuse 'vim.fault.ToolsUnavailable'; ends "$2" ;;
vmsvc/power.off) echo "DESTROYED $2" >> NOTES; rm -f "$2" ;;
esac`;

const actionOf = {
  virsh: 'stop_vms',
  qm: 'stop_proxmox_vms',
  xe: 'stop_xcpng_vms',
  'vim-cmd': 'stop_esxi_vms',
} as const;
const programs = { virsh, qm, xe, 'vim-cmd': esxi } as const;
type Tool = keyof typeof programs;

describe('an action on guests', () => {
  let host: ActionHost;
  beforeEach(() => {
    host = new ActionHost();
    mkdirSync(join(host.folder, 'guests'));
  });
  afterEach(() => host.remove());
  const path = (id: string): string => join(host.folder, 'guests', id);
  const add = (id: string, state: string, lock?: string): void => {
    writeFileSync(path(id), `${state}\nvm${id}\n`);
    if (lock !== undefined) writeFileSync(path(`lock.${id}`), lock);
  };
  const run = async (tool: Tool, seconds: number) => {
    host.tool(tool, common(host) + programs[tool].replaceAll('NOTES', host.notes));
    // On a busy machine it ends late.
    const end = await host.run(actionOf[tool], { timeoutSeconds: seconds }, 10 * seconds);
    const noted = host.noted();
    return {
      ...end,
      clean: noted
        .filter((line) => line.startsWith('CLEAN '))
        .map((line) => line.slice(6))
        .sort(),
      destroyed: noted
        .filter((line) => line.startsWith('DESTROYED '))
        .map((line) => line.slice(10))
        .sort(),
      noted,
    };
  };

  for (const [tool, states] of [
    [
      'virsh',
      ['paused', 'paused (user)', 'paused (starting up)', 'paused (unknown)', 'pmsuspended (unknown)'],
    ],
    ['qm', ['paused', 'prelaunch', 'suspended']],
    ['xe', ['paused']],
    ['vim-cmd', ['standby']],
  ] as const)
    it(`${actionOf[tool]} resumes or wakes guests that are ${states.join(', ')}`, async () => {
      const ids = states.map((_, place) => String(101 + place));
      states.forEach((state, place) => add(ids[place] ?? '', state));
      const { status, clean, destroyed } = await run(tool, 16);
      expect({ status, clean, destroyed }).to.deep.equal({ status: 0, clean: ids, destroyed: [] });
    });

  for (const [tool, held] of [
    [
      'virsh',
      [['paused (migrating)'], ['paused (saving)'], ['paused (creating snapshot)'], ['paused (I/O error)']],
    ],
    ['qm', [['paused', 'backup'], ['io-error'], ['postmigrate', 'migrate'], ['save-vm']]],
    ['xe', [['paused', 'pool_migrate']]],
  ] as const)
    it(`${actionOf[tool]} neither resumes nor forces guests that work on them holds, and names why`, async () => {
      held.forEach(([state, lock], place) => add(String(101 + place), state, lock));
      // By its own clock: else nothing says what still runs.
      const { status, outputLines, destroyed, noted } = await run(tool, 9);
      expect({ status, destroyed }).to.deep.equal({ status: 1, destroyed: [] });
      expect(noted.filter((line) => /resume|unpause|shutdown/.test(line))).to.deep.equal([]);
      expect(outputLines).to.have.length(1);
      expect(outputLines[0]).to.match(/^still running: /);
      for (const [state, lock] of held) expect(outputLines[0]).to.contain(lock ?? state);
    });

  it('names why a guest is held that took its request before', async () => {
    add('101', 'running (migrates)');
    const { status, outputLines, destroyed } = await run('virsh', 9);
    expect({ status, outputLines, destroyed }).to.deep.equal({
      status: 1,
      outputLines: ['still running: vm101 (paused (migrating))'],
      destroyed: [],
    });
  });

  for (const tool of ['qm', 'xe'] as const)
    it(`${actionOf[tool]} asks a guest with a backup again until that has ended`, async () => {
      add('101', 'running', 'backup');
      setTimeout(() => rmSync(path('lock.101')), 3_000);
      const { status, clean, destroyed } = await run(tool, 20);
      expect({ status, clean, destroyed }).to.deep.equal({ status: 0, clean: ['101'], destroyed: [] });
    });

  for (const way of ['ahead', 'back'] as const)
    it(`gives the guests their time when the clock of the server is set ${way} in it`, async () => {
      const set = join(host.folder, 'set');
      const hour = way === 'ahead' ? '1 hour' : '1 hour ago';
      host.tool(
        'date',
        `[ ! -e ${set} ] || exec /bin/date -d '${hour}' "$@"; : >${set}; exec /bin/date "$@"`,
      );
      add('101', 'running');
      add('102', 'running', 'snapshot');
      const { status, clean, outputLines } = await run('qm', 9);
      expect({ status, clean, outputLines }).to.deep.equal({
        status: 0,
        clean: ['101'],
        outputLines: ['did not stop in 6 s and were forced: 102 (vm102) (VM is locked (snapshot))'],
      });
    });

  it('has what the tool said of a guest that it had to force', async () => {
    add('101', 'running', 'snapshot');
    const { status, outputLines } = await run('qm', 9);
    expect({ status, outputLines }).to.deep.equal({
      status: 0,
      outputLines: ['did not stop in 6 s and were forced: 101 (vm101) (VM is locked (snapshot))'],
    });
  });

  it('leaves no file behind', async () => {
    add('101', 'running', 'snapshot');
    host.tool('mktemp', `mkdir ${host.folder}/refused && echo ${host.folder}/refused`);
    await run('qm', 6);
    expect(existsSync(join(host.folder, 'refused'))).to.equal(false);
    expect(readdirSync(host.folder).sort()).to.deep.equal(['bin', 'guests', 'notes']);
    expect(readFileSync(host.notes, 'utf8')).to.contain('qm shutdown 101');
  });
});
