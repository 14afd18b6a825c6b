import { expect } from 'chai';
import { isContainer } from '../../../../supervisor/config/read/container.js';

const first: Readonly<Record<string, string>> = {
  '/proc/self/ns/uts': 'uts:[4026531838]',
  '/proc/self/ns/ipc': 'ipc:[4026531839]',
  '/proc/self/ns/pid': 'pid:[4026531836]',
};

function judged(there: readonly string[], environment: NodeJS.ProcessEnv = {}, links = first): boolean {
  return isContainer(environment, {
    exists: (path) => there.includes(path),
    readLink: (path) => {
      const link = links[path];
      if (link === undefined) throw new Error('ENOENT');
      return link;
    },
  });
}

const own = { ...first, '/proc/self/ns/pid': 'pid:[4026532591]' };

describe('a container', () => {
  it('is detected by the signs of podman, Kubernetes and docker', () => {
    expect(judged(['/run/.containerenv'])).to.equal(true);
    expect(judged([], { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).to.equal(true);
    expect(judged(['/.dockerenv'], {}, own)).to.equal(true);
  });

  it('is detected where podman has a tmpfs in place of its sign, by the environment', () => {
    expect(judged([], { container: 'podman' })).to.equal(true);
    expect(judged(['/run/systemd/system'], { container: 'podman' })).to.equal(false);
    expect(judged([], { container: 'lxc' }), 'a machine of its own').to.equal(false);
  });

  it('is detected when it shares the processes of its host', () => {
    expect(judged(['/.dockerenv'], {}, { ...first, '/proc/self/ns/uts': 'uts:[4026532589]' })).to.equal(true);
  });

  it('is not detected without a sign', () => {
    expect(judged([])).to.equal(false);
    expect(judged([], { KUBERNETES_SERVICE_HOST: '' })).to.equal(false);
    expect(judged([], {}, own), 'a sandbox').to.equal(false);
  });

  it('is not detected in an image that became a virtual machine and kept the file of docker', () => {
    expect(judged(['/.dockerenv'])).to.equal(false);
    expect(judged(['/.dockerenv'], {}, {}), 'a kernel without namespaces').to.equal(false);
  });

  it('is ignored with access to the systemd of the host', () => {
    const all = ['/.dockerenv', '/run/.containerenv', '/run/systemd/system'];
    expect(judged(all, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, own)).to.equal(false);
  });
});
