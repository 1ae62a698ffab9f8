import type { SearchResult, SearchResults, SearchTextPart } from '@app/contract/blog/search';
import { messages } from '@app/contract/messages';
import { searchTexts } from '@app/site/blog/search';
import { dateOf } from '../../components/dates.ts';
import { callApi } from '../../http/call-api.ts';
import { elementOf } from '../element-of.ts';
import { searchStatus } from './search-status.ts';

/** In milliseconds, after the last keystroke. */
const pause = 200;
/** In milliseconds. A slower search shows that it is running. */
const noticeable = 400;

/**
 * Shows results on /blog/search while the visitor types. Without JavaScript, the form loads a page.
 */
export const startSearch = (): void => {
  const form = elementOf<HTMLFormElement>(document, '#search');
  const input = elementOf<HTMLInputElement>(form, '#query');
  const status = elementOf(document, '#search-status');
  const list = elementOf(document, '#search-results');
  const template = elementOf<HTMLTemplateElement>(document, '#search-result');
  let timer: number | undefined;
  let current = new AbortController();
  let shown = input.defaultValue.trim();

  const itemOf = ({ slug, title, snippet, createdAt }: SearchResult): Node => {
    const item = document.importNode(template.content, true);
    const link = elementOf<HTMLAnchorElement>(item, 'a');
    link.href = `/blog/${slug}`;
    link.append(...nodesOf(title));
    const time = elementOf<HTMLTimeElement>(item, 'time');
    time.dateTime = createdAt;
    time.textContent = dateOf(createdAt);
    elementOf(item, 'p').append(...nodesOf(snippet));
    return item;
  };

  const search = async (): Promise<void> => {
    clearTimeout(timer);
    current.abort();
    current = new AbortController();
    const { signal } = current;
    const query = input.value.trim();
    shown = query;
    // So that Back and a reload show the same results.
    const url = query ? `?${new URLSearchParams({ q: query })}` : location.pathname;
    history.replaceState(history.state, '', url);
    if (!query) {
      list.replaceChildren();
      list.ariaBusy = null;
      status.textContent = '';
      return;
    }
    list.ariaBusy = 'true';
    const slow = setTimeout(() => {
      status.textContent = searchTexts.searching;
    }, noticeable);
    const path = `/api/search?${new URLSearchParams({ q: query })}`;
    const reply = await callApi<SearchResults>('GET', path, undefined, { signal });
    clearTimeout(slow);
    if (signal.aborted) return;
    list.ariaBusy = null;
    if (reply.ok) {
      list.replaceChildren(...reply.value.results.map(itemOf));
      status.textContent = searchStatus(query, reply.value);
    } else {
      list.replaceChildren();
      status.textContent = reply.problem?.detail ?? messages.forms.unreachable;
      // Allows the visitor to try the same words again.
      shown = '';
    }
  };

  const searchSoon = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (input.value.trim() !== shown) void search();
    }, pause);
  };

  input.addEventListener('input', searchSoon);
  // For words that were typed before this script was loaded.
  searchSoon();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search();
    if (shown) return;
    status.textContent = searchTexts.tooShort;
    input.focus();
  });
};

const nodesOf = (parts: readonly SearchTextPart[]): (Node | string)[] =>
  parts.map(({ text, isMatch }) => {
    if (!isMatch) return text;
    const mark = document.createElement('mark');
    mark.textContent = text;
    return mark;
  });
