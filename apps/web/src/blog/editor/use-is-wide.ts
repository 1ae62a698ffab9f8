import { useSyncExternalStore } from 'react';

/** Tailwind's `xl`, where the text and its preview fit next to each other. */
const query = '(min-width: 80rem)';

const subscribe = (onChange: () => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
};

export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
