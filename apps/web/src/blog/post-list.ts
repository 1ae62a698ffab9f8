import { blogMessages } from '@app/contract/blog/messages';
import type { PostCard } from '@app/contract/blog/pages';
import type { PostList, PostSummary } from '@app/contract/blog/posts';
import { adoptStyles } from '../components/adopt-styles.ts';
import { focusHeading } from '../components/focus-heading.ts';
import { showToast } from '../components/toast-after-redirect.ts';
import { callApi, isSignedIn } from '../http/call-api.ts';
import { disableOthersControls } from './disable-controls.ts';
import { elementOf } from './element-of.ts';
import { fillCard } from './fill-card.ts';
import { deletedToast, enhancePostControls, setPost, showStatus } from './post-controls.ts';
import styles from './post-list.css?inline';
import { explainWhenSignedOut } from './signed-out.ts';
import { enhanceUndo } from './trash/restore.ts';

const draftsQuery = '?drafts=true';

/**
 * The list of /blog for signed-in users (spec §2). The static cards stay until the API replies. The
 * state of the switch is in the URL, so that Back and a reload show the same list.
 */
export const startPostList = (): void => {
  adoptStyles(styles);
  const list = elementOf(document, '#posts');
  const empty = elementOf(document, '#no-posts');
  const failure = elementOf(document, '#posts-failed');
  const status = elementOf(document, '#posts-status');
  const drafts = elementOf<HTMLInputElement>(document, '#show-drafts');
  const archive = document.querySelector<HTMLElement>('#older-posts');
  const more = elementOf<HTMLButtonElement>(document, '#more-posts');

  /** Replies to earlier requests are ignored. */
  let latestRequest = 0;
  let nextCursor: string | null = null;
  let isFirstPage = true;

  const loadFirst = () => load(null);
  const reload = () => {
    list.replaceChildren(copyOf('#skeleton-cards'));
    return loadFirst();
  };
  const retry = async ({ currentTarget: button }: Event): Promise<void> => {
    await reload();
    // The button was hidden meanwhile, and has lost the focus.
    if (document.activeElement !== document.body) return;
    const [first] = cardsOf(list);
    const next = failure.hidden ? first && titleOf(first) : (button as HTMLButtonElement);
    next?.focus({ preventScroll: true });
  };

  const load = async (cursor: string | null): Promise<void> => {
    latestRequest += 1;
    const request = latestRequest;
    failure.hidden = empty.hidden = true;
    const hadFocus = document.activeElement === more;
    more.disabled = true;
    list.ariaBusy = 'true';
    status.textContent = blogMessages.loading;
    const query = new URLSearchParams({
      ...(drafts.checked && { drafts: 'true' }),
      ...(cursor !== null && { cursor }),
    });
    const reply = await callApi<PostList>('GET', `/api/posts?${query}`);
    if (request !== latestRequest) return;
    list.ariaBusy = null;
    more.disabled = false;
    // A disabled button loses the focus.
    if (hadFocus && document.activeElement === document.body) more.focus({ preventScroll: true });
    status.textContent = '';
    for (const skeleton of list.querySelectorAll('.skeleton')) skeleton.remove();
    if (!reply.ok) {
      showToast({ tone: 'danger', ...blogMessages.listFailed });
      if (cursor !== null) return;
      if (list.childElementCount === 0) list.append(...sampleCards());
      failure.hidden = false;
      return;
    }
    show(reply.value, cursor !== null);
  };

  const show = (page: PostList, isMore: boolean) => {
    const known = new Map(cardsOf(list).map((card) => [keyOf(card), card]));
    const cards = page.posts.map((post) => {
      const made = cardOf(post);
      // Reuses the card to keep its loaded pictures.
      const card = known.get(keyOf(made)) ?? made;
      showStatus(elementOf(card, '.post-status'), post);
      elementOf(card, '.card-controls').replaceChildren(controlsOf(card, post));
      return card;
    });
    const focused = document.activeElement;
    const moreHasFocus = focused === more;
    const path = focused?.closest('article')?.querySelector('.title')?.getAttribute('href');
    if (isMore) list.append(...cards);
    else list.replaceChildren(...cards);
    if (document.activeElement === document.body) {
      const title = cards.map(titleOf).find((each) => each.getAttribute('href') === path);
      title?.focus({ preventScroll: true });
    }
    ({ nextCursor } = page);
    isFirstPage = !isMore;
    more.hidden = nextCursor === null;
    archive?.remove();
    showWhetherEmpty();
    if (moreHasFocus && more.hidden && cards[0]) titleOf(cards[0]).focus();
  };

  const showWhetherEmpty = () => {
    empty.hidden = list.childElementCount > 0;
    const { none } = blogMessages;
    elementOf(empty, 'p').textContent = drafts.checked ? none.drafts : none.published;
  };

  const controlsOf = (card: HTMLElement, post: PostSummary): HTMLElement => {
    if (post.isSample) return sampleControls(card, post);
    const controls = elementOf(copyOf('#post-controls'), '.post-controls');
    describeByTitle(controls, card, post);
    setPost(controls, post);
    void disableOthersControls(controls, post.authorId);
    enhancePostControls(controls, {
      onChanged: (changed) => {
        if (changed.published || drafts.checked) {
          showStatus(elementOf(card, '.post-status'), changed);
        } else remove(card);
      },
      onDeleted: (publishing) => {
        remove(card);
        showToast(deletedToast(post.id, publishing));
      },
    });
    return controls;
  };

  const remove = (card: HTMLElement) => {
    const neighbor = card.nextElementSibling ?? card.previousElementSibling;
    card.remove();
    if (neighbor) titleOf(neighbor).focus({ preventScroll: true });
    // There can be more pages, or the sample posts.
    else void reload().then(() => focusCard(cardsOf(list)[0]));
  };

  /** Moves the focus from a removed button to a card, or else to the heading. */
  const focusCard = (card: HTMLElement | undefined) => {
    if (card) titleOf(card).focus();
    else focusHeading();
  };

  enhanceUndo(async ({ slug }) => {
    await reload();
    focusCard(cardsOf(list).find((card) => titleOf(card).getAttribute('href') === `/blog/${slug}`));
  });
  drafts.addEventListener('change', () => {
    history.replaceState(history.state, '', drafts.checked ? draftsQuery : location.pathname);
    void reload();
  });
  more.addEventListener('click', () => void load(nextCursor));
  elementOf(failure, 'button').addEventListener('click', retry);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isFirstPage) void loadFirst();
  });
  let wasSignedIn = isSignedIn();
  addEventListener('storage', () => {
    if (wasSignedIn === isSignedIn()) return;
    wasSignedIn = isSignedIn();
    drafts.checked = wasSignedIn && location.search === draftsQuery;
    void reload();
  });

  // The switch may have been used before this script was loaded.
  if (drafts.checked) history.replaceState(history.state, '', draftsQuery);
  drafts.checked = location.search === draftsQuery;
  if (drafts.checked) void reload();
  else void loadFirst();
  void explainWhenSignedOut();
};

const cardsOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('article'),
];

/** Everything that a card shows, except its controls. */
const keyOf = (card: HTMLElement): string =>
  [
    titleOf(card).getAttribute('href'),
    ...[...card.querySelectorAll('img')].map((image) => image.getAttribute('src')),
    ...['.title', '.excerpt', '.author', 'time'].map((part) =>
      elementOf(card, part).textContent.trim(),
    ),
  ].join('\n');

const cardOf = (post: PostCard): HTMLElement =>
  fillCard(elementOf(copyOf('#post-card'), 'article'), post);

/** Shown instead of a list that cannot be loaded (spec §7). */
const sampleCards = (): HTMLElement[] => {
  const { posts = '[]' } = elementOf(document, '#sample-posts').dataset;
  return (JSON.parse(posts) as PostCard[]).map((post) => {
    const card = cardOf(post);
    elementOf(card, '.card-controls').append(sampleControls(card, post));
    return card;
  });
};

const sampleControls = (card: HTMLElement, post: PostCard): HTMLElement => {
  const controls = elementOf(copyOf('#sample-controls'), 'p');
  describeByTitle(controls, card, post);
  elementOf<HTMLAnchorElement>(controls, 'a').href = `/blog/editor/${post.slug}`;
  return controls;
};

const describeByTitle = (controls: HTMLElement, card: HTMLElement, { slug }: PostCard): void => {
  const title = titleOf(card);
  title.id = `title-${slug}`;
  for (const control of controls.querySelectorAll('a, button')) {
    control.setAttribute('aria-describedby', title.id);
  }
};

const titleOf = (card: Element): HTMLElement => elementOf(card, '.title');

const copyOf = (template: string): DocumentFragment =>
  document.importNode(elementOf<HTMLTemplateElement>(document, template).content, true);
