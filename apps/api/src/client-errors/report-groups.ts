import type { ClientError, ReportKind } from '@app/contract/client-errors/client-errors';
import { hour } from '@app/contract/durations';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createLruCache } from '../lru-cache.ts';
import { cleanReport } from './clean-report.ts';

/** Limited, because strangers can send any message. */
const maxGroups = 500;

interface Group {
  /** Reports since the last line in the log. */
  reports: number;
  loggedAt: number;
}

const lines: Readonly<Record<ReportKind, string>> = {
  error: 'browser error',
  csp: 'blocked by the content security policy',
};

/** Logs reports with the same message and stack frame at most once an hour. In memory. */
export function createReportGroups({ clock, log }: { clock: Clock; log: Log }) {
  const groups = createLruCache<Group>(maxGroups);
  return {
    add(report: ClientError): void {
      const { kind } = report;
      const clean = cleanReport(report);
      const key = `${kind} ${clean.frame} ${clean.message}`;
      const now = clock.monotonic();
      const group = groups.get(key) ?? { reports: 0, loggedAt: Number.NEGATIVE_INFINITY };
      group.reports += 1;
      groups.set(key, group);
      if (now - group.loggedAt < hour) return;
      log.warn({ ...clean, reports: group.reports }, lines[kind]);
      groups.set(key, { reports: 0, loggedAt: now });
    },
  };
}
