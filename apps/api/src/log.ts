import { minute } from '@app/contract/durations';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** Paths, headers and errors may contain user input. */
const maxTextLength = 200;
const maxListLength = 20;
const maxDepth = 4;
const maxFrames = 12;

const maxPerMinute = 100;

/** Lines below this level are not sampled. */
const infoLevel = 30;

/** Lines of the same kind count as repetitions. */
const kindOf = (level: number, message: string, facts: unknown): string =>
  `${level} ${message} ${(facts as { status?: unknown } | null)?.status ?? ''}`;

/** Truncates texts and samples repeated lines, so that requests cannot fill the disk. */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Log {
  const sampler = createSampler((kind, omitted) => {
    log.warn({ line: kind, omitted }, 'repeated lines omitted');
  });
  const log: Log = pino({ ...options(sampler.takes), level }, destination);
  return log;
}

const options = (takes: (kind: string) => boolean): LoggerOptions => ({
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: {
    level: (label) => ({ level: label }),
    log: (facts) => cut(facts, maxDepth) as Record<string, unknown>,
  },
  serializers: { err: (error: unknown) => error },
  hooks: {
    logMethod(args, method, level) {
      const message = args.find((arg) => typeof arg === 'string') ?? '';
      if (level < infoLevel || takes(kindOf(level, message, args[0]))) method.apply(this, args);
    },
  },
});

function createSampler(report: (kind: string, omitted: number) => void) {
  const counts = new Map<string, number>();
  let endsAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function endMinute(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = [...counts];
    counts.clear();
    endsAt = performance.now() + minute;
    for (const [kind, count] of all) if (count > maxPerMinute) report(kind, count - maxPerMinute);
  }

  return {
    takes(kind: string): boolean {
      if (performance.now() >= endsAt) endMinute();
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count > maxPerMinute) timer ??= setTimeout(endMinute, minute).unref();
      return count <= maxPerMinute;
    },
  };
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cutText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return cutError(value, depth);
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, maxListLength).map((one) => cut(one, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, cut(one, depth - 1)]),
  );
}

const cutText = (text: string): string => {
  const short = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return /@|%40/.test(short) ? withoutAddresses(short) : short;
};

/** Email providers name recipients in their replies, and a path can contain anything. */
const withoutAddresses = (text: string): string =>
  text
    // Not between letters: o'brien@example.com.
    .split(/((?:[\s"`<>()[\]{},;:=&?!/|]|'(?!\p{L})|(?<!\p{L})')+)/u)
    .map((part) => (isAddress(part) ? '…' : part))
    .join('');

/** Whether it ends like a domain, unlike package versions (pino@10.4.0), or was truncated. */
function isAddress(part: string): boolean {
  const at = part.search(/@|%40/);
  const end = part.endsWith('.') ? part.length - 1 : part.length;
  const dot = part.lastIndexOf('.', end - 1);
  const isDomain = dot > at && /^\.\p{L}[\p{L}\d-]+$/u.test(part.slice(dot, end));
  return at > 0 && (isDomain || part.endsWith('…'));
}

/** Drizzle appends the values of the statement. */
const withoutParameters = (message: string): string => message.split('\nparams: ', 1)[0] ?? '';

/** Only these properties are logged, because Drizzle's errors contain the statement's values. */
function cutError(error: Error, depth: number): object {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: cutText(withoutParameters(error.message)),
    ...(code !== undefined && { code }),
    stack: frames.slice(0, maxFrames).map((line) => cutText(line.trim())),
    ...(error.cause !== undefined && depth > 0 && { cause: cut(error.cause, depth - 1) }),
  };
}

/** Drops lines that cannot be written because the disk is full or the pipe is closed. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true });
  stream.on('error', () => undefined);
  return stream;
}
