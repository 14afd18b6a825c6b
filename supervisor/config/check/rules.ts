// All rules across fields, in the order of their problems.
import type { ConfigFile } from '../schema/file.js';
import { checkActions } from './actions.js';
import { checkFinalCommands } from './final-command.js';
import type { Findings } from './findings.js';
import { checkHooks } from './hooks.js';
import { checkNames } from './names.js';
import type { KnownUsers } from './nut.js';
import { checkNut } from './nut.js';
import { checkOutput } from './output.js';
import { checkOwnership } from './ownership.js';
import { checkProbe } from './probe.js';
import { checkRedundancy } from './redundancy.js';
import { checkSections } from './sections.js';
import { checkServiceRules } from './services.js';

export interface RuleInputs {
  readonly upsesComplete: boolean;
  readonly users: KnownUsers;
}

/** Applies all rules; a finding of one does not end the others. */
export function checkRules(file: ConfigFile, findings: Findings, { upsesComplete, users }: RuleInputs): void {
  checkNames(file, findings, upsesComplete);
  checkRedundancy(file, findings, upsesComplete);
  checkOwnership(file, findings);
  checkActions(file, findings);
  checkProbe(file, findings);
  checkNut(file, findings, users);
  checkOutput(file, findings);
  checkSections(file, findings);
  checkFinalCommands(file, findings);
  checkServiceRules(file, findings, upsesComplete);
  checkHooks(file, findings, upsesComplete);
}
