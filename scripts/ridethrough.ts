#!/usr/bin/env node
// The program `ridethrough`: loads and runs the command that its arguments name.
import { catalogue } from './commands/catalogue.js';
import { dispatch } from './commands/dispatch.js';

const args = process.argv.slice(2);
const outlivesItsReader = catalogue.find(({ name }) => name === args[0])?.ignoresBrokenPipe ?? false;
if (!outlivesItsReader) {
  // `ridethrough status | head -1`: the reader has ended. This is a normal end of the command.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`ridethrough: the output could not be written: ${error.message}\n`);
    process.exit(1);
  });
}

const code = await dispatch(args, catalogue, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// A pipe takes 64 KiB, and an exit drops what waits behind it. A daemon ends although nobody reads.
const timeout = new Promise((resolve) => {
  if (outlivesItsReader) setTimeout(resolve, 10_000);
});
await Promise.race([Promise.all([process.stdout, process.stderr].map(flush)), timeout]);
// An error of the last write comes as an event.
await new Promise((resolve) => setImmediate(resolve));
process.exit(code);

async function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
}
