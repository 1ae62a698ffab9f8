import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** Terminals and service managers send them to all processes of the server. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Whether a process handles a signal itself (proc_pid_status(5), SigCgt). */
export function handles(pid: number | undefined, signal: (typeof signals)[number]): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = BigInt(`0x${/^SigCgt:\s+([\da-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (caught & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
}
