/** Options of Node: kills the process instead of the nth rename, from 0. */
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
