import { useEffect, useRef, useState } from 'react';

interface AvatarProps {
  className: string;
  url: string | null;
  initials: string;
}

/**
 * A picture over the initials, which are shown if it fails to load. Decorative, because the name is
 * next to it.
 */
export const Avatar = ({ className, url, initials }: AvatarProps) => {
  const picture = useRef<HTMLImageElement>(null);
  const [loaded, setLoaded] = useState<string | null>(null);

  // The picture may have loaded before hydration.
  useEffect(() => {
    const image = picture.current;
    if (image?.complete && image.naturalWidth > 0) setLoaded(url);
  }, [url]);

  return (
    <span
      className={`relative grid aspect-square flex-none place-items-center overflow-hidden rounded-full bg-primary font-display font-bold text-primary-foreground ${className}`}
      data-avatar
      aria-hidden="true"
    >
      {initials}
      {url && (
        <img
          key={url}
          ref={picture}
          className="absolute inset-0 size-full object-cover data-loaded:bg-surface"
          data-loaded={loaded === url || undefined}
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
