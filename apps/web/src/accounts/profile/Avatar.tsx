import { useEffect, useRef, useState } from 'react';

interface AvatarProps {
  url: string | null;
  initials: string;
}

/** A picture over the initials, which stay visible if it fails to load. Decorative: the name is next to it. */
export const Avatar = ({ url, initials }: AvatarProps) => {
  const picture = useRef<HTMLImageElement>(null);
  const [loaded, setLoaded] = useState<string | null>(null);

  // The picture may have loaded before the script.
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
