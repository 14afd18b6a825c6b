// Writes test/topologies/ from docs/topologies.md and the present policy: `node dist/test/transcript/write-topologies.js`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, topologies, transcriptOf } from './topology.js';

const folder = join(import.meta.dirname, '../../../test/topologies');
mkdirSync(folder, { recursive: true });
for (const topology of topologies) writeFileSync(join(folder, fileOf(topology)), transcriptOf(topology));
