import { unsaved } from '@app/site/blog/unsaved';
import { useFocusFallback } from '../../../components/use-focus-fallback.ts';
import { LocalTime } from '../LocalTime.tsx';
import type { Offer } from './use-unsaved-text.ts';

interface UnsavedOffersProps {
  offers: readonly Offer[];
  onRestore: (offer: Offer) => void;
  onDiscard: (offer: Offer) => void;
}

/** Unsaved text to restore or discard. Text on the server needs no JavaScript for that. */
export const UnsavedOffers = ({ offers, onRestore, onDiscard }: UnsavedOffersProps) => {
  const fallback = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={fallback} role="status" tabIndex={-1}>
      {offers.length > 0 && (
        <ul className="notice notice-warning mb-8 divide-y divide-border">
          {offers.map((offer) => {
            const { key, draft, title, time, copy, href, onServer } = offer;
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
                  {copy ? (
                    <button
                      className="button button-sm"
                      type="button"
                      onClick={() => onRestore(offer)}
                    >
                      {unsaved.restore}
                    </button>
                  ) : (
                    <a className="button button-sm" href={href}>
                      {unsaved.restore}
                    </a>
                  )}
                  <form
                    action={`/api/posts/drafts/${draft}/delete?updatedAt=${onServer}`}
                    method="post"
                    onSubmit={(event) => {
                      event.preventDefault();
                      onDiscard(offer);
                    }}
                  >
                    <button className="button button-outline button-sm" type="submit">
                      {unsaved.discard}
                    </button>
                  </form>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
};
