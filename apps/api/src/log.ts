import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Structured logs on standard output, one JSON object a line, times in ISO 8601. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
