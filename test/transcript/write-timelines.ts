// Writes the timelines of docs/triggers.md by the present policy: `node dist/test/transcript/write-timelines.js`.
import { readFileSync, writeFileSync } from 'node:fs';
import { page, withTimelines } from './timeline.js';

writeFileSync(page, withTimelines(readFileSync(page, 'utf8')));
