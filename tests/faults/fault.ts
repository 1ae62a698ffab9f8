/** A fault that `pnpm faults` causes many times, and a process test a few times. */
export interface Fault {
  name: string;
  about: string;
  unit: 'count' | 'seconds';
  /** The default, for a long run. */
  amount: number;
  min: number;
  /** Whether `--seed` repeats its random order. */
  isSeeded?: true;
  run(amount: number, findings: Findings, seed?: number): Promise<void>;
}

const maxShown = 20;

export class Findings {
  readonly counts: Record<string, number> = {};
  readonly #broken = new Map<string, number>();
  readonly #show: (text: string) => void;

  /** @param show prints progress, and each broken promise immediately */
  constructor(show: (text: string) => void = () => undefined) {
    this.#show = show;
  }

  /** Counts up. With 0, makes sure that the report has the count. */
  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** For figures that are not sums. */
  set(name: string, value: number): void {
    this.counts[name] = value;
  }

  breaks(promise: string): void {
    const times = this.#broken.get(promise) ?? 0;
    this.#broken.set(promise, times + 1);
    if (times === 0 && this.#broken.size <= maxShown) this.#show(`BROKEN: ${promise}`);
  }

  progress(text: string): void {
    this.#show(text);
  }

  get broken(): string[] {
    return [...this.#broken].map(([text, times]) =>
      times > 1 ? `${text} (${times} times)` : text,
    );
  }

  report(): string {
    const width = Math.max(...Object.values(this.counts).map((count) => String(count).length), 0);
    const { broken } = this;
    const left = broken.length - maxShown;
    return [
      ...Object.entries(this.counts).map(
        ([name, count]) => `  ${String(count).padStart(width)} ${name}`,
      ),
      ...(broken.length === 0
        ? ['all promises held']
        : [
            `${broken.length} broken promises:`,
            ...broken.slice(0, maxShown).map((text) => `  ${text}`),
            ...(left > 0 ? [`  and ${left} more`] : []),
          ]),
    ].join('\n');
  }
}

/** True about twenty times per run. */
export const isProgressDue = (n: number, of: number): boolean =>
  n > 0 && n % Math.max(1, Math.floor(of / 20)) === 0;
