import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ActivatedSite } from '../support/activated-site.ts';
import { openDatabase } from '../support/database.ts';
import { isFullRun } from '../support/full-run.ts';
import { publishedPort, temporaryFolder } from '../support/site-process.ts';

test.runIf(process.platform === 'linux')(
  'with a socket from systemd, restarts under load do not refuse connections or lose messages',
  async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const port = await publishedPort(dataDir);
    await using site = await ActivatedSite.start({ dataDir, port, env: { PORT: String(port) } });
    let isOver = false;
    let pages = 0;
    const sent: string[] = [];
    const broken: string[] = [];

    /** Sends a request over a new connection. */
    async function ask(path: string, message?: object): Promise<number> {
      const body = message && JSON.stringify(message);
      const outgoing = request({
        port,
        path,
        host: '127.0.0.1',
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { Origin: `http://localhost:${port}`, 'Content-Type': 'application/json' },
      });
      outgoing.end(body);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      await text(response);
      return response.statusCode ?? 0;
    }
    const note = (status: number, wanted: number) => {
      if (status !== wanted) broken.push(`${status} instead of ${wanted}`);
    };
    async function read(): Promise<void> {
      while (!isOver) {
        note(await ask('/about'), 200);
        pages += 1;
      }
    }
    async function write(visitor: number): Promise<void> {
      for (let n = 0; !isOver; n += 1) {
        const name = `Visitor ${visitor}, message ${n}`;
        const message = { name, email: 'vera@example.com', message: `Pipe ${name} is out.` };
        note(await ask('/api/contact', message), 201);
        sent.push(name);
      }
    }
    const load = [1, 2, 3].flatMap((visitor) => [read(), write(visitor)]);

    for (let restart = 0; restart < (isFullRun ? 10 : 1); restart += 1) {
      const [pagesBefore, sentBefore] = [pages, sent.length];
      await expect.poll(() => pages).toBeGreaterThanOrEqual(pagesBefore + 20);
      await expect.poll(() => sent.length).toBeGreaterThanOrEqual(sentBefore + 10);
      await site.restart();
    }
    isOver = true;
    await Promise.all(load);

    expect(broken).toEqual([]);
    using db = openDatabase(dataDir);
    const stored = db.$client
      .prepare<[], { name: string }>('SELECT name FROM contact_submissions')
      .all();
    expect(stored.map(({ name }) => name).toSorted()).toEqual(sent.toSorted());
  },
);
