// kubernetes.yaml against what the image and compose.yaml say: a port, user, path or limit in one of them alone is an error.
import { expect } from 'chai';
import { parse as parseToml } from 'toml';
import { parseAllDocuments } from 'yaml';
import { loadText } from '../../supervisor/config/load/load.js';
import { livenessRoutes } from '../../workers/api/routes/liveness.js';
import type { RouteContext } from '../../workers/api/routes/route-context.js';
import { compose, graceMinutes, shipped } from './oci.js';

const containerfile = shipped('Containerfile');
/** The argument of an instruction of the Containerfile. */
const said = (instruction: string): string =>
  new RegExp(`^${instruction} (.*)$`, 'm').exec(containerfile)?.[1] ?? '';
const port = Number(said('EXPOSE'));
const user = Number(said('USER').split(':')[0]);

describe('the Kubernetes file', () => {
  // Kubernetes reads YAML 1.1, where 0440 is octal.
  const documents = parseAllDocuments(shipped('kubernetes.yaml'), { version: '1.1', strict: true });
  const [settings, claim, deployment, service, ...more] = documents.map(
    (document) => document.toJS() as unknown,
  );
  const metadata = { name: 'ridethrough' };
  const labels = { 'app.kubernetes.io/name': 'ridethrough' };

  it('is YAML without errors, of four objects', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).to.deep.equal([]);
    expect(more).to.deep.equal([]);
  });

  it('has the configuration of the image', () => {
    const { data, ...rest } = settings as { data: Record<string, string> };
    expect(rest).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    expect(Object.keys(data)).to.deep.equal(['config.toml']);
    const text = data['config.toml'] ?? '';
    expect(parseToml(text)).to.deep.equal(parseToml(shipped('config.toml')));
    const loaded = loadText(text, {});
    if (!loaded.ok) expect.fail(JSON.stringify(loaded.problems));
    const { api, dryRun, localShutdown } = loaded.configuration;
    expect(api).to.include({ enabled: true, bind: '0.0.0.0', port });
    expect([dryRun, localShutdown.enabled]).to.deep.equal([true, false]);
  });

  it('gives the history a volume of its own', () => {
    expect(claim).to.deep.equal({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
    });
  });

  it('publishes the port of the daemon, ready or not', () => {
    expect(service).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: labels,
        publishNotReadyAddresses: true,
        ports: [{ name: 'http', port, targetPort: 'http' }],
      },
    });
    expect(compose.ports).to.deep.equal([`127.0.0.1:${String(port)}:${String(port)}`]);
  });

  it('runs the image as compose.yaml does', () => {
    expect(said('USER')).to.equal(compose.user);
    expect([said('ENTRYPOINT'), said('CMD')]).to.deep.equal(['["/usr/bin/ridethrough"]', '["run"]']);
    const [configuration, history] = compose.volumes.map((volume) => volume.split(':')[1]);
    expect(said('VOLUME')).to.equal(history);
    expect(parseToml(shipped('config.toml'))).to.have.nested.property(
      'supervisor.runtime_directory',
      `${compose.tmpfs[0] ?? ''}/ridethrough`,
    );
    const [health, ready] = livenessRoutes({} as RouteContext).map(({ path }) => path);
    const asks = (path: string | undefined) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 5 });
    expect(deployment).to.deep.equal({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 60 * graceMinutes,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            shareProcessNamespace: true,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: user,
              runAsGroup: user,
              fsGroup: user,
              fsGroupChangePolicy: 'OnRootMismatch',
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [
              {
                name: 'ridethrough',
                image: compose.image,
                imagePullPolicy: 'IfNotPresent',
                args: ['run'],
                ports: [{ name: 'http', containerPort: port }],
                securityContext: {
                  readOnlyRootFilesystem: true,
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: compose.cap_drop },
                },
                resources: {
                  requests: { cpu: '100m', memory: '256Mi' },
                  limits: { memory: `${compose.mem_limit.toUpperCase()}i` },
                },
                livenessProbe: {
                  ...asks(health),
                  initialDelaySeconds: 30,
                  periodSeconds: 30,
                  failureThreshold: 10,
                },
                readinessProbe: { ...asks(ready), periodSeconds: 10 },
                volumeMounts: [
                  { name: 'configuration', mountPath: configuration, readOnly: true },
                  { name: 'history', mountPath: history },
                  { name: 'tmp', mountPath: compose.tmpfs[0] },
                ],
              },
            ],
            volumes: [
              {
                name: 'configuration',
                projected: {
                  defaultMode: 0o440,
                  sources: [{ configMap: metadata }, { secret: { ...metadata, optional: true } }],
                },
              },
              { name: 'history', persistentVolumeClaim: { claimName: 'ridethrough' } },
              { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } },
            ],
          },
        },
      },
    });
  });
});
