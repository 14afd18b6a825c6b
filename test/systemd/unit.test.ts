import { expect } from 'chai';
import { readFileSync } from 'node:fs';

const unit = readFileSync(new URL('../../../systemd/ridethrough.service', import.meta.url), 'utf8');

describe('the unit', () => {
  // systemd.exec(5): with any other value "access to the setns() system call with a zero flags parameter is prohibited", and that
  // call is how rootless podman joins the namespaces of its user (pkg/rootless/rootless_linux.c).
  it('lets rootless podman join its namespaces', () => {
    expect([...unit.matchAll(/^RestrictNamespaces=(.*)$/gm)].map(([, value]) => value)).to.deep.equal(['no']);
  });
});
