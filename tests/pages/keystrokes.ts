// `node tests/pages/keystrokes.ts [kB…]`: milliseconds from a key press to the frame that shows it,
// and of main-thread work per key, in the middle of texts of these sizes (default: 1 and 100 kB). On
// a busy machine: `chrt -r 5 node tests/pages/keystrokes.ts`.
import { signInNewUser } from '../support/account.ts';
import { contentEditor } from '../support/post-editor.ts';
import { table } from './table.ts';
import { onBuiltSite } from './tool.ts';

const keys = 200;
/** In milliseconds: fast typing, six keys per second. */
const pause = 160;

const paragraph =
  'The **boiler** in the cellar is [checked](https://example.com/) every winter, and a note of `what` was found is left on its door.\n\n';
const block = `## A heading\n\n${paragraph.repeat(5)}- one\n- two\n\n`;

/** Runs in the page. */
const recordKeys = (): void => {
  const times: number[] = [];
  Object.assign(window, { times });
  const { port1, port2 } = new MessageChannel();
  const pressed: number[] = [];
  port1.onmessage = () => {
    for (const time of pressed.splice(0)) times.push(performance.now() - time);
  };
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      // The message arrives when the frame is painted.
      requestAnimationFrame(() => {
        pressed.push(timeStamp);
        port2.postMessage(null);
      });
    },
    true,
  );
};

const sizes = process.argv.slice(2).map(Number);
await onBuiltSite(
  [],
  async ({ site, browser }) => {
    const rows = [['text', 'p50', 'p95', 'worst', 'work per key']];
    const cases = (sizes.length > 0 ? sizes : [1, 100]).flatMap((kilobytes) =>
      // With the preview next to the text, and behind its tab.
      [1_440, 1_000].map((width) => ({ kilobytes, width })),
    );
    for (const { kilobytes, width } of cases) {
      const context = await browser.newContext({
        baseURL: site.url,
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      await signInNewUser(page, site, `keys-${kilobytes}-${width}@example.com`);
      const content = block.repeat(Math.ceil((kilobytes * 1_000) / block.length));
      const slug = `keys-${kilobytes}-${width}`;
      const data = { title: 'Keys', content: content.slice(0, kilobytes * 1_000), slug };
      await page.request.post('/api/posts', { headers: { Origin: site.url }, data });
      await page.goto(`/blog/editor/${slug}`);
      await contentEditor(page).click();
      await page.waitForTimeout(3_000);
      await page.evaluate(recordKeys);
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      const work = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
      };
      const before = await work();
      for (let key = 0; key < keys; key += 1) {
        await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e');
        await page.waitForTimeout(pause);
      }
      const seconds = (await work()) - before;
      const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
      const sorted = times.toSorted((a, b) => a - b);
      const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1) ?? '';
      const perKey = ((seconds * 1_000) / keys).toFixed(1);
      const what = `${kilobytes} kB${width > 1_280 ? ', with the preview' : ''}`;
      rows.push([what, at(0.5), at(0.95), at(1), perKey]);
      await context.close();
    }
    console.log(table(rows));
  },
  // Without waiting for the refresh of the screen.
  ['--disable-frame-rate-limit', '--disable-gpu-vsync'],
);
