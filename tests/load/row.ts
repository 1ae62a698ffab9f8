export interface Row {
  what: string;
  measured: string;
  aim: string;
}

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const perSecond = (value: number): string =>
  `${Math.round(value).toLocaleString('en-US')}/s`;
