import { useEffect, useRef, useState } from 'react';

interface AvatarProps {
  /** Of the picture; null when there is none. */
  url: string | null;
  initials: string;
}

/**
 * The picture over the initials: one that does not load leaves them to be seen, with a script or
 * without. Beside it stands whose it is, so it says nothing itself.
 */
export const Avatar = ({ url, initials }: AvatarProps) => {
  const picture = useRef<HTMLImageElement>(null);
  const [loaded, setLoaded] = useState<string | null>(null);

  // It may have come before the script did.
  useEffect(() => {
    const image = picture.current;
    if (image?.complete && image.naturalWidth > 0) setLoaded(url);
  }, [url]);

  return (
    <span className="avatar" aria-hidden="true">
      {initials}
      {url && (
        <img
          key={url}
          ref={picture}
          className={loaded === url ? 'is-loaded' : undefined}
          src={url}
          alt=""
          width="512"
          height="512"
          onLoad={() => setLoaded(url)}
        />
      )}
    </span>
  );
};
