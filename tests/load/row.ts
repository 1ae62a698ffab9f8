/** A figure, and the figures of peers that were measured in turn with it, in the same run. */
export interface Row {
  what: string;
  measured: string;
  aim?: string;
  comparisons?: readonly Comparison[];
}

export interface Comparison {
  /** With its version. */
  name: string;
  measured: string;
  /** Our figure divided by the peer's; empty if the peer could not be measured. */
  ratio: string;
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`;
export const megabytes = (value: number): string => `${value} MB`;
export const perSecond = (value: number): string =>
  `${Math.round(value).toLocaleString('en-US')}/s`;

/**
 * @param ours the figure of the row to which the comparison belongs
 * @param format of both figures
 */
export const comparison = (
  name: string,
  ours: number,
  theirs: number,
  format: (value: number) => string,
): Comparison => ({ name, measured: format(theirs), ratio: ratio(ours, theirs) });

export const notMeasured = (name: string, reason: string): Comparison => ({
  name,
  measured: `not measured: ${reason}`,
  ratio: '',
});

const ratio = (ours: number, theirs: number): string => {
  const percent = (100 * ours) / theirs;
  if (percent >= 1_000) return `${(ours / theirs).toFixed(1)} ×`;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
};
