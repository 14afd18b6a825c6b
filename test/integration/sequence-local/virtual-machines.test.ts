// The real virsh with libvirt's test driver, whose guests last for one call; and a fake virsh, whose guests persist,
// ignore requests and hang.
import { expect } from 'chai';
import { needs, Sandbox } from './sandbox.js';

const machines = `cat >$D/machines.xml <<'END'
<node>
<domain type='test'><name>odd "name" ; $(x)</name><uuid>11111111-1111-1111-1111-111111111111</uuid>
<memory>1024</memory><os><type>hvm</type></os></domain>
<domain type='test'><name>-c</name><uuid>22222222-2222-2222-2222-222222222222</uuid>
<memory>1024</memory><os><type>hvm</type></os></domain>
</node>
END
virsh -c test:///$D/machines.xml list >/dev/null`;

/** Guests are files; one named deaf ignores requests, one named mute makes virsh hang. */
const fakeVirsh = `mkdir -p $D/bin $D/guests && export PATH=$D/bin:$PATH
cat >$D/bin/virsh <<END
#!/bin/sh
cd $D/guests
case "\\$*" in
'list --uuid --name') grep . * | tr : ' ' ;;
'list --uuid --state-paused') ;;
shutdown*) case \\$(cat \\$2) in deaf) ;; mute) sleep 1000 ;; *) rm \\$2 ;; esac ;;
destroy*) rm \\$2 ;;
esac
END
chmod +x $D/bin/virsh
guest() { echo $2 >$D/guests/$1$1$1$1$1$1$1$1-1111-1111-1111-111111111111; }`;

describe('the shutdown of virtual machines on this host', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('lists, stops and destroys them with the real virsh, whatever their names are', async function () {
    needs(this, 'no virsh with a test driver', machines);
    const uri = `test:///${sandbox.directory}/machines.xml`;
    const action = { kind: 'stopVirtualMachines', uri, maxWaitSeconds: 1 } as const;
    const { outcome } = await sandbox.perform(machines, { action, budgetSeconds: 20 });
    // No call fails; the guests run again because the test driver starts over with every call.
    expect(outcome)
      .to.have.property('reason')
      .that.is.oneOf(['still running: odd "name" ; $(x), -c', 'still running: -c, odd "name" ; $(x)']);
  });

  it('handles guests that stop, guests that must be destroyed and guests that hang independently', async () => {
    const before = `${fakeVirsh}\nguest 1 good; guest 2 deaf; guest 3 mute`;
    const action = { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 2 } as const;
    const report = await sandbox.perform(before, { action, budgetSeconds: 12 }, 'ls $D/guests');
    expect(report.outcome).to.deep.equal({
      kind: 'done',
      detail: 'did not end within 2 s and were destroyed: deaf, mute',
    });
    expect(report.warnings).to.deep.equal([
      'virtual machines that did not end within 2 s were destroyed: deaf, mute',
    ]);
    expect(report.after).to.equal('');
    expect(report.turnsAfterBudget, 'its budget has not ended').to.equal(null);
  });
});
