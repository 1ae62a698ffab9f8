import './node-version.mjs';
import { main } from './failure.mjs';
import { install } from './install.mjs';
import { buildServer } from './server.mjs';
import { buildSite } from './site.mjs';

/** `pnpm build` */
await main(async () => {
  await install();
  await buildSite();
  await buildServer();
});
