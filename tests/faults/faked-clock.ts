import { globSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { day } from '@app/contract/durations';

export const needsFaketime = 'libfaketime is not installed (Debian: apt install libfaketime)';

const findLibrary = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

export const hasFaketime = (): boolean => findLibrary() !== undefined;

/**
 * The wall clock of a process, which libfaketime moves while it runs, but not its monotonic clock.
 * @throws if libfaketime is not installed
 */
export function fakedClock(file: string) {
  const library = findLibrary();
  if (library === undefined) throw new Error(needsFaketime);
  const move = (offset: string): void => writeFileSync(file, `${offset}\n`);
  move('+0');
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    /** Resolves once the server at the URL has the new time. @param years from now */
    async moveTo(years: number, url: string): Promise<void> {
      move(`${years < 0 ? '-' : '+'}${Math.abs(years)}y`);
      for (;;) {
        const date = (await fetch(`${url}/api/health/live`)).headers.get('Date') ?? '';
        const ahead = (Date.parse(date) - Date.now()) / (365 * day);
        if (Math.abs(ahead - years) < 0.1) return;
        await pause(100);
      }
    },
  };
}
