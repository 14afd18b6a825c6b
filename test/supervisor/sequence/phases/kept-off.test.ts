import { expect } from 'chai';
import { keptOffText } from '../../../../shared/domain/commands/kept-off.js';
import { containerRemarks } from '../../../../supervisor/sequence/phases/kept-off.js';
import type { Program } from './local-rig.js';
import { fails, LocalRig, missing, ok } from './local-rig.js';

const id = (digit: string): string => digit.repeat(64);
const all = {
  kind: 'stopContainers',
  runtime: 'auto',
  includeUserContainers: false,
  stopTimeoutSeconds: 60,
} as const;
const project = {
  kind: 'stopCompose',
  runtime: 'docker',
  path: '/srv/app/compose.yaml',
  stopTimeoutSeconds: 60,
} as const;

/** docker with three containers, of which the second belongs to a project; no podman. */
const docker: Program = (command) => {
  if (!command.includes('docker')) return missing;
  if (command.includes('ps'))
    return ok(
      command.includes('--filter')
        ? `${id('b')}\n`
        : `WARNING: old kernel\n${id('a')}\n${id('b')}\n${id('c')}\n`,
    );
  const policies = { a: '/web always', b: '/app-db-1 unless-stopped', c: '/cache unless-stopped' };
  return ok(
    Object.entries(policies)
      .flatMap(([digit, line]) => (command.includes(id(digit)) ? [line] : []))
      .join('\n'),
  );
};

describe('the containers that a stop keeps off at the next boot', () => {
  const found = (program: Program, action: typeof all | typeof project) =>
    containerRemarks(action, new LocalRig(program).tools);

  it('are those with the restart policy unless-stopped', async () => {
    expect(await found(docker, all)).to.equal(
      'once stopped, these stay off at the next boot (restart policy unless-stopped): app-db-1, cache; with the policy always they start',
    );
  });

  it('are those of compose projects, where only projects are stopped', async () => {
    expect(await found(docker, project)).to.equal(keptOffText(['app-db-1']));
  });

  it('are none where no engine answers or none runs', async () => {
    expect(await found(() => fails('permission denied'), all)).to.equal('');
    expect(await found((command) => (command.includes('ps') ? ok('') : missing), all)).to.equal('');
    expect(keptOffText([])).to.equal('');
  });

  it('are given up after the time of a listing, where an engine hangs', async () => {
    const rig = new LocalRig(() => 'hangs');
    const names = containerRemarks(all, rig.tools);
    await rig.time.pass(2_100);
    expect(await names).to.equal('');
  });
});
