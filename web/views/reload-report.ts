// The result of a reload: what changed, or all problems of the file with their paths.
import { RequestError } from '../daemon/api-client.js';
import { make } from '../ui/dom.js';

export interface ReloadBody {
  readonly applied: readonly string[];
  readonly restartedWorkers: readonly string[];
  readonly restartRequired: readonly string[];
}

interface Rejected {
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

export function reloadReport(outcome: unknown): readonly HTMLElement[] {
  if (outcome instanceof RequestError) {
    const { errors = [] } = (outcome.details ?? {}) as Rejected;
    return [
      make('p', 'problem', outcome.message),
      ...listOf(
        '',
        errors.map(({ path, message }) => `${path}: ${message}`),
      ),
    ];
  }
  const { applied, restartedWorkers, restartRequired } = outcome as ReloadBody;
  const what = applied.length === 0 ? 'Reloaded: nothing has changed.' : 'Reloaded. This has changed:';
  return [
    make('p', '', what),
    ...listOf('', applied),
    ...listOf('Restarted workers', restartedWorkers),
    ...listOf('Needs a restart of the daemon', restartRequired),
  ];
}

function listOf(title: string, lines: readonly string[]): readonly HTMLElement[] {
  if (lines.length === 0) return [];
  const list = make('ul', '', ...lines.map((line) => make('li', '', line)));
  return title === '' ? [list] : [make('p', 'quiet', title), list];
}
