import { writeFileSync } from 'node:fs';
import { processWork } from '../../server/process-work.ts';
import { cropToSquare } from './crop-to-square.ts';

/** A third of the server's share of a processor. */
const priority = 5;

// When memory runs out, Linux kills this process instead of the server (proc_pid_oom_score_adj(5)).
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');

export default processWork(priority, cropToSquare);
