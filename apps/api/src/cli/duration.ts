import { UsageError } from './errors.ts';
import type { Value } from './values.ts';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const maxDays = 30;

/** Parses whole minutes, hours or days, such as 30m, 6h or 1d, into milliseconds. */
export const duration = (option: string, description: string): Value<number> => ({
  placeholder: 'duration',
  description,
  parse(given) {
    const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(given) ?? [];
    const milliseconds = Number(count) * units[unit as keyof typeof units];
    if (milliseconds <= maxDays * units.d) return milliseconds;
    throw new UsageError(
      `--${option} ${given}: expected minutes, hours or days up to ${maxDays}d, such as 30m, 6h or 1d.`,
    );
  },
});
