import { parsePicturePath, pictureSrcset } from '@app/contract/blog/pictures';

interface ThumbnailProps {
  path: string;
  className: string;
  sizes: string;
}

/** Decorative, because the description is next to it. */
export const Thumbnail = ({ path, className, sizes }: ThumbnailProps) => {
  const picture = parsePicturePath(path);
  return (
    <picture>
      {picture && (
        <source type="image/avif" srcSet={pictureSrcset(picture, 'avif')} sizes={sizes} />
      )}
      <img
        className={`bg-muted object-cover ${className}`}
        src={path}
        {...(picture && { srcSet: pictureSrcset(picture, 'webp'), sizes })}
        alt=""
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
};
