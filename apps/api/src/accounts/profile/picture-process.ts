// The process that decodes one picture and ends, see pictures.ts.
import { writeFileSync } from 'node:fs';
import { cropToSquare } from './crop-to-square.ts';

// A signal to the whole group: the server waits for it, and takes it along when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

// Where memory runs out, Linux ends this process and not the server (proc_pid_oom_score_adj(5)).
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');

process.once('message', async (bytes: Uint8Array) => {
  process.send?.(await cropToSquare(bytes), () => process.disconnect());
});
