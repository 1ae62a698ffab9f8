/** For programs, such as search engines. Pages show the result of `formatPrice`. */
export interface Price {
  readonly amount: number;
  /** ISO 4217 */
  readonly currency: string;
}

const locale = 'en-US';

/** Such as $2,499 or $2,499.50. */
export const formatPrice = ({ amount, currency }: Price): string =>
  amount.toLocaleString(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
