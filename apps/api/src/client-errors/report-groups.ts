import { hash } from 'node:crypto';
import type { ClientError, ReportKind } from '@app/contract/client-errors/client-errors';
import { hour, minute } from '@app/contract/durations';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createLruCache } from '../lru-cache.ts';
import { cleanReport } from './clean-report.ts';

/** Limited, because strangers can send any message. Each takes about 200 bytes. */
const maxGroups = 5_000;

/** Addresses of a group that are remembered. */
const maxAddresses = 1_000;

/**
 * After every so many lines in a minute, only groups from four times as many addresses are logged.
 * A flood of invented messages needs as many addresses, while an error of the site is soon reported
 * by enough visitors.
 */
const linesPerStep = 20;

interface Group {
  /** Reports since the last line in the log. */
  reports: number;
  addresses: Set<string>;
  loggedAt: number;
}

const lines: Readonly<Record<ReportKind, string>> = {
  error: 'browser error',
  csp: 'blocked by the content security policy',
};

/** Logs reports with the same message and stack frame at most once an hour. In memory. */
export function createReportGroups({ clock, log }: { clock: Clock; log: Log }) {
  const groups = createLruCache<Group>(maxGroups);
  let logged = { lines: 0, end: 0 };
  return {
    /** @param address the client, as counted by limits */
    add(report: ClientError, address: string): void {
      const { kind } = report;
      const clean = cleanReport(report);
      const key = hash('sha256', `${kind} ${clean.frame} ${clean.message}`, 'base64url');
      const now = clock.monotonic();
      const group = groups.get(key) ?? {
        reports: 0,
        addresses: new Set(),
        loggedAt: Number.NEGATIVE_INFINITY,
      };
      groups.set(key, group);
      group.reports += 1;
      if (group.addresses.size < maxAddresses) group.addresses.add(address);
      if (now - group.loggedAt < hour) return;

      if (now >= logged.end) logged = { lines: 0, end: now + minute };
      if (group.addresses.size < 4 ** Math.floor(logged.lines / linesPerStep)) return;
      logged.lines += 1;
      const { reports, addresses } = group;
      log.warn({ ...clean, reports, addresses: addresses.size }, lines[kind]);
      groups.set(key, { reports: 0, addresses: new Set(), loggedAt: now });
    },
  };
}
