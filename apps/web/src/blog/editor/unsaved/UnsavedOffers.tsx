import { unsaved } from '@app/site/blog/unsaved';
import { useFocusFallback } from '../../../components/use-focus-fallback.ts';
import { LocalTime } from '../LocalTime.tsx';
import type { Offer } from './use-unsaved-text.ts';

interface UnsavedOffersProps {
  offers: readonly Offer[];
  /** Until the account is known. */
  disabled: boolean;
  onRestore: (offer: Offer) => void;
  onDiscard: (offer: Offer) => void;
}

/** Unsaved text to restore or discard. */
export const UnsavedOffers = ({ offers, disabled, onRestore, onDiscard }: UnsavedOffersProps) => {
  const fallback = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={fallback} role="status" tabIndex={-1}>
      {offers.length > 0 && (
        <ul className="notice notice-warning mb-8 divide-y divide-border">
          {offers.map((offer) => {
            const { key, title, time, copy, href } = offer;
            const [before, after] = title === null ? unsaved.offer : unsaved.offerNew(title);
            return (
              <li key={key} className="py-4 first:pt-0 last:pb-0">
                <p>
                  <span className="font-semibold">
                    {before}
                    <LocalTime time={time} />
                    {after}
                  </span>
                  {copy && ` ${unsaved.onDevice}`}
                </p>
                <div className="mt-3 flex flex-wrap gap-3">
                  {href === null ? (
                    <button
                      className="button button-sm"
                      type="button"
                      disabled={disabled}
                      onClick={() => onRestore(offer)}
                    >
                      {unsaved.restore}
                    </button>
                  ) : (
                    <a className="button button-sm" href={href}>
                      {unsaved.restore}
                    </a>
                  )}
                  <button
                    className="button button-outline button-sm"
                    type="button"
                    disabled={disabled}
                    onClick={() => onDiscard(offer)}
                  >
                    {unsaved.discard}
                  </button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
};
