// Whether the daemon runs in a container, whose host is then another machine than the one it sees as its own.
import { existsSync } from 'node:fs';

/** Docker's and podman's marks in the file system of every container. */
const marks = ['/.dockerenv', '/run/.containerenv'];
/** Where systemd runs as the init of this very system (sd_booted(3)), a mark is left over or means nothing. */
const booted = '/run/systemd/system';

/** Contract 4: no systemd of the host, and a mark of a container or of Kubernetes. */
export function isContainer(environment: NodeJS.ProcessEnv): boolean {
  if (existsSync(booted)) return false;
  return environment['KUBERNETES_SERVICE_HOST'] !== undefined || marks.some((mark) => existsSync(mark));
}
