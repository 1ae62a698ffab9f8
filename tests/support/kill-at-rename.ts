/** Node options that kill the process at the nth rename, counted from 0, before it happens. */
export const killAtRename = (n: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = ${n};
    const { renameSync } = fs;
    fs.renameSync = (...paths) => {
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      left -= 1;
      renameSync(...paths);
    };
    syncBuiltinESMExports();
  `)}`,
];
