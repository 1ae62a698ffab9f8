import { initialOf } from '@app/contract/accounts/initials';
import { blogMessages } from '@app/contract/blog/messages';
import type { PostCard } from '@app/contract/blog/pages';
import { parsePicturePath, pictureSrcset } from '@app/contract/blog/pictures';
import { plainExcerpt } from '@app/contract/blog/plain-excerpt';
import { dateOf } from '../components/dates.ts';
import { drawStreet } from '../components/street.ts';
import { coverSize, coverSizes } from './cover-size.ts';
import { elementOf } from './element-of.ts';

/** Fills in a copy of the card template. */
export const fillCard = (card: HTMLElement, post: PostCard): HTMLElement => {
  const { author } = post;
  const title = elementOf<HTMLAnchorElement>(card, '.title');
  title.textContent = post.title;
  title.href = `/blog/${post.slug}`;
  elementOf(card, '.excerpt').textContent = plainExcerpt(post.excerpt);
  elementOf(card, '.author').textContent = author.name;
  const time = elementOf<HTMLTimeElement>(card, 'time');
  time.dateTime = post.createdAt;
  time.textContent = dateOf(post.createdAt);

  const avatar = elementOf(card, '.avatar');
  avatar.prepend(initialOf(author.name));
  setPicture(elementOf(avatar, 'img'), author.avatarUrl);
  avatar.hidden = author.avatarUrl === null;

  const cover = elementOf(card, '.cover-frame');
  cover.insertAdjacentHTML('afterbegin', drawStreet({ seed: post.title, ...coverSize }));
  setSizes(elementOf(cover, 'picture'), post.coverImage);
  setPicture(elementOf(cover, '.picture'), post.coverImage);
  if (post.coverImage === null) {
    cover.role = 'img';
    cover.ariaLabel = blogMessages.noImage;
  }
  return card;
};

/** Adds smaller sizes if the site itself stores the picture. */
const setSizes = (picture: HTMLElement, url: string | null): void => {
  const stored = url === null ? null : parsePicturePath(url);
  if (!stored) return;
  const sizes = coverSizes.card;
  const srcset = pictureSrcset(stored, 'avif');
  const source = Object.assign(document.createElement('source'), {
    type: 'image/avif',
    sizes,
    srcset,
  });
  const image = elementOf(picture, 'img');
  Object.assign(image, { sizes, srcset: pictureSrcset(stored, 'webp') });
  picture.prepend(source);
};

const setPicture = (picture: HTMLElement, url: string | null): void => {
  if (url === null) picture.remove();
  else (picture as HTMLImageElement).src = url;
};
