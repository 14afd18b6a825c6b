// What docker or podman says of a container: asked before a start, read as untrusted text. Pure.
import * as t from 'io-ts';
import { decode } from '../base/decode.js';
import { orNull, textUpTo } from '../base/units.js';

const text = textUpTo(4096);
const Row = t.tuple([
  text,
  text,
  text,
  t.tuple([text, text]),
  t.tuple([orNull(text), orNull(text), orNull(text)]),
]);
const Rest = t.tuple([orNull(text), orNull(text), orNull(text)]);
const Line = t.tuple([Row, Rest]);

const label = (name: string): string => `{{json (index .Config.Labels "${name}")}}`;
/** Of `inspect`, for docker and podman: one line of JSON for each container. Podman knows Id only as `{{.Id}}`. */
export const inspectFormat =
  '[["{{.Id}}",{{json .State.Status}},{{json .Name}},[{{json .State.StartedAt}},{{json .State.FinishedAt}}],[' +
  `${label('com.docker.compose.project')},${label('com.docker.compose.service')},${label('com.docker.compose.depends_on')}]],[` +
  `${label('com.docker.swarm.task.id')},${label('io.kubernetes.pod.name')},${label('PODMAN_SYSTEMD_UNIT')}]]`;

export interface Container {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Unix seconds; null: the engine has none. */
  readonly started: number | null;
  readonly finished: number | null;
  /** Of compose; empty for none. */
  readonly project: string;
  readonly service: string;
  readonly dependsOn: readonly string[];
  /** What starts it, if that is not the engine. */
  readonly keeper: { readonly kind: 'swarm' | 'kubernetes' | 'systemd'; readonly name: string } | null;
}

/** Lines of another form are warnings of the engine. */
export function containersIn(listing: string): readonly Container[] {
  return listing.split('\n').flatMap((line) => {
    const parsed = parse(line);
    const decoded = decode(Line, parsed);
    if (parsed === null || !decoded.ok) return [];
    const [[id, status, name, [started, finished], [project, service, dependsOn]], rest] = decoded.value;
    return {
      ...{ id, status: status.toLowerCase(), name: name.replace(/^\//, '') },
      ...{ started: dateOf(started), finished: dateOf(finished), keeper: keeperOf(rest) },
      ...{ project: project ?? '', service: service ?? '' },
      // "db:service_healthy:false,cache:service_started:true".
      dependsOn: (dependsOn ?? '').split(',').flatMap((part) => part.split(':')[0] || []),
    };
  });
}

function parse(line: string): unknown {
  try {
    return line.startsWith('[[') ? (JSON.parse(line) as unknown) : null;
  } catch {
    return null;
  }
}

/** Before 1971 a date is "never". */
function dateOf(date: string): number | null {
  const seconds = Date.parse(date) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

function keeperOf([task, pod, unit]: t.TypeOf<typeof Rest>): Container['keeper'] {
  if ((task ?? '') !== '') return { kind: 'swarm', name: task ?? '' };
  if ((pod ?? '') !== '') return { kind: 'kubernetes', name: pod ?? '' };
  // podman-compose names a unit that is hardly ever there (cockpit-podman#2142); where it is, it has started the container by then.
  return (unit ?? '') === '' || unit?.startsWith('podman-compose@') === true
    ? null
    : { kind: 'systemd', name: unit ?? '' };
}
