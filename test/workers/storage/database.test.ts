import { expect } from 'chai';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

describe('a database connection', () => {
  for (const [name, module, call] of [
    ['of the writer', '../../../workers/storage/database.js', 'Database'],
    ['of a reader', '../../../workers/api/history/connection.js', 'ReadConnection'],
  ] as const)
    it(`to ${name} is rejected in a thread, where it would kill the process`, async () => {
      const url = new URL(module, import.meta.url).href;
      const code = `import { parentPort } from 'node:worker_threads';
        const { ${call} } = await import(${JSON.stringify(url)});
        try { await ${call}.open('/nonexistent'); } catch (error) { parentPort.postMessage(error.message); }`;
      const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
      const [message] = (await once(thread, 'message')) as [string];
      expect(message).to.match(/in a thread crashes the process/);
    });
});
