import { writeFileSync } from 'node:fs';
import { processWork } from '../../server/process-work.ts';
import { cropToSquare } from './crop-to-square.ts';

/** A third of what the server gets where both want the same core: the sender waits, too. */
const priority = 5;

// Where memory runs out, Linux ends this process and not the server (proc_pid_oom_score_adj(5)).
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');

/** Decodes one picture in a child process of its own; see pictures.ts. */
export default processWork(priority, cropToSquare);
