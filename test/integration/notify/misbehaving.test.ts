import { expect } from 'chai';
import { closeServers } from '../../fixtures/loopback-server.js';
import { until } from '../../fixtures/until.js';
import { deliver, verdict } from './delivering.js';
import { startHttp, startRaw } from './http-server.js';

describe('misbehaving notification services', () => {
  afterEach(closeServers);

  describe('a service', () => {
    const hook = (port: number): string => `webhook+http://127.0.0.1:${String(port)}/S3cr3t-path`;

    it('that hangs is given up', async () => {
      const server = await startHttp(() => undefined);
      expect(verdict(await deliver(hook(server.port), { withinMs: 100 }))).to.equal('given up');
      await until(server.connections, (count) => count === 0);
    });

    it('that never answers is given up', async () => {
      const server = await startRaw((socket) => socket.resume());
      expect(verdict(await deliver(hook(server.port), { withinMs: 100 }))).to.equal('given up');
      await until(server.connections, (count) => count === 0);
    });

    it('that answers byte by byte is given up', async () => {
      const server = await startRaw((socket) => {
        const answer = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1000)}`;
        let said = 0;
        const timer = setInterval(() => socket.write(answer.charAt(said++)), 5);
        socket.resume().once('close', () => clearInterval(timer));
      });
      expect(verdict(await deliver(hook(server.port), { withinMs: 200 }))).to.equal('given up');
      await until(server.connections, (count) => count === 0);
    });

    it('that sends its rejection byte by byte still counts as rejecting', async () => {
      const server = await startHttp((response) => {
        response.writeHead(500);
        const timer = setInterval(() => response.write('x'), 10);
        response.once('close', () => clearInterval(timer));
      });
      expect(verdict(await deliver(hook(server.port)))).to.equal('SERVICE_ERROR');
      await until(server.connections, (count) => count === 0);
    });

    it('that sends an endless rejection costs no memory', async () => {
      let sent = 0;
      const server = await startHttp((response) => {
        response.writeHead(500);
        const chunk = Buffer.alloc(65_536, 120);
        const more = (): void => {
          if (response.destroyed) return;
          sent += chunk.length;
          response.write(chunk, more);
        };
        more();
      });
      expect(verdict(await deliver(hook(server.port)))).to.equal('SERVICE_ERROR');
      await until(server.connections, (count) => count === 0);
      expect(sent).to.be.lessThan(64 * 1024 * 1024);
    });

    it('that resets the connection is reported differently from one that is down', async () => {
      const server = await startRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const reset = await deliver(hook(server.port));
      expect(reset).to.have.nested.property('fault.message', 'its server closed the connection');
      const { port } = server;
      await server.close();
      const gone = await deliver(hook(port));
      expect(gone).to.have.nested.property(
        'fault.message',
        'its server refuses the connection; check the port, and whether the service runs',
      );
    });

    it('that does not speak HTTP is reported as such', async () => {
      const server = await startRaw((socket) => socket.end('220 mail.example ESMTP\r\n'));
      expect(verdict(await deliver(hook(server.port)))).to.equal('NOT_UNDERSTOOD');
    });

    it('that does not speak TLS is reported as such', async () => {
      const server = await startRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      const outcome = await deliver(`webhook+https://127.0.0.1:${String(server.port)}/x`);
      expect(verdict(outcome)).to.equal('TLS_FAILED');
    });

    it('that repeats its address in a rejection does not put it into the error', async () => {
      const server = await startHttp((response, { path }) =>
        response.writeHead(400, `bad ${path.slice(1)}`).end(`no such ${path}`),
      );
      const outcome = await deliver(hook(server.port));
      expect(verdict(outcome)).to.equal('REFUSED');
      expect(JSON.stringify(outcome)).to.not.contain('S3cr3t').and.not.contain('127.0.0.1');
    });

    it('without a DNS entry is reported without its name', async () => {
      const outcome = await deliver('ntfy://s3cr3t.invalid/alarms');
      expect(verdict(outcome)).to.equal('UNREACHABLE');
      expect(JSON.stringify(outcome)).to.not.contain('s3cr3t');
    });
  });
});
