import { expect } from 'chai';
import { compose, graceMinutes, shipped } from './oci.js';

describe('the NixOS module', () => {
  const code = shipped('nixos.nix').replaceAll(/^\s*#.*\n/gm, '');

  it('runs the image as compose.yaml does', () => {
    const [configuration = '', history = ''] = compose.volumes;
    expect([...code.matchAll(/"([^"]*)"/g)].map(([, text]) => text)).to.deep.equal([
      'podman',
      `localhost/${compose.image}`,
      'never',
      compose.user,
      configuration.replace('./ridethrough', '/etc/ridethrough'),
      `ridethrough-${history}`,
      ...compose.ports,
      `--init=${String(compose.init)}`,
      `--read-only=${String(compose.read_only)}`,
      ...compose.cap_drop.map((name) => `--cap-drop=${name}`),
      ...compose.security_opt.map((option) => `--security-opt=${option}`),
      ...compose.tmpfs.map((path) => `--tmpfs=${path}`),
      `--memory=${compose.mem_limit}`,
      `--pids-limit=${String(compose.pids_limit)}`,
      `--stop-timeout=${String(60 * graceMinutes)}`,
      // systemd gives up after podman.
      `${String(graceMinutes + 1)}min`,
    ]);
  });
});
