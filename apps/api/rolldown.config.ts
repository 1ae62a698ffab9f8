import { licenses } from '@app/tasks/licenses';
import { defineConfig } from 'rolldown';

/**
 * Bundles the server, although size does not matter: drizzle-orm's package.json names a thousand
 * entries, and Node reads it again for each of its modules, which would cost half a second and
 * 200 MB at every start.
 */
export default defineConfig({
  input: {
    main: 'src/main.ts',
    cli: 'src/cli.ts',
    'body-process': 'src/blog/rendering/body-process.ts',
    'convert-process': 'src/blog/transfer/convert/convert-process.ts',
    'compare-worker': 'src/blog/history/compare-worker.ts',
    'merge-worker': 'src/blog/revisions/merge-worker.ts',
    'common-passwords-worker': 'src/accounts/sign-in/common-passwords-worker.ts',
    'email-worker': 'src/email-worker.ts',
    'page-process': 'src/publishing/page-process.ts',
    'card-process': 'src/publishing/card-process.ts',
    'checkpoint-worker': '../../packages/db/src/checkpoint-worker.ts',
    'http-worker': '../../packages/db/src/replica/http-worker.ts',
    'sync-process': '../../packages/db/src/replica/sync-process.ts',
    'image-process': 'src/images/image-process.ts',
  },
  platform: 'node',
  plugins: [licenses()],
  // React's development build is slower and much larger.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  // These packages contain native code or load files relative to their own location.
  external: ['better-sqlite3', 'libsql', '@node-rs/argon2', 'pino', 'sharp', 'tinypool'],
  output: { dir: 'dist', format: 'esm', sourcemap: true },
});
