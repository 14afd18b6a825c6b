// A container engine of root or of one user, and how it is called. Types only.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';

export interface Engine {
  readonly kind: 'podman' | 'docker';
  /** Of a rootless podman; null: root. */
  readonly user: string | null;
  /** For messages: `podman`, `podman of ann`. */
  readonly label: string;
  readonly command: CommandLine;
}
