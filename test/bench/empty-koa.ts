// The baseline of the API benchmark: koa with one route that returns a word. Prints its port.
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';

const router = new Router();
router.get('/', (ctx) => {
  ctx.body = 'ok';
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`);
});
