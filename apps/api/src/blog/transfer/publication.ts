import { timeOf } from './dates.ts';
import { type Field, type Fields, isObject, keyOf, textOf } from './fields.ts';

/** What may keep a post from visitors of its source. */
export interface Publication {
  /** False if anything but the time withholds it, or could not be understood. */
  published: boolean;
  /** Not shown before this time. */
  from: number | null;
  /** Not shown from this time on. */
  until: number | null;
  notes: string[];
}

type Effect = 'shows' | 'withholds' | 'unclear' | { from: number } | { until: number };
type Rule = (value: unknown) => Effect;

const yes = new Set(['true', 'yes', 'y', 'on', 't', '1', 'always']);
const no = new Set(['false', 'no', 'n', 'off', 'f', '0', 'never', 'none']);

/** Jekyll reads YAML 1.1, where `yes` is a boolean; many systems accept texts and numbers. */
function flag(value: unknown): boolean | null {
  const text = String(value).trim().toLowerCase();
  return yes.has(text) ? true : no.has(text) ? false : null;
}

const byFlag =
  (ifTrue: Effect, ifFalse: Effect, otherwise: Rule = () => 'unclear'): Rule =>
  (value) => {
    const given = flag(value);
    return given === null ? otherwise(value) : given ? ifTrue : ifFalse;
  };

const from: Rule = (value) => {
  const time = timeOf(isObject(value) ? value['created'] : value);
  return time === null ? 'unclear' : { from: time };
};
const until: Rule = (value) => {
  const time = timeOf(value);
  return time === null ? 'unclear' : { until: time };
};

const shownStates = new Set(
  'published publish public live online released visible everyone everybody anyone all'.split(' '),
);
const isShownState = (value: unknown): boolean => shownStates.has(textOf(value).toLowerCase());
const state: Rule = (value) => (isShownState(value) ? 'shows' : 'withholds');

/** Only some of their values withhold a post. */
const unless =
  (withholding: RegExp): Rule =>
  (value) =>
    withholding.test(String(value)) ? 'withholds' : 'shows';

/** Hugo's `build`, formerly `_build`. */
const build: Rule = (value) => {
  if (!isObject(value)) return 'unclear';
  const allows = (name: string) =>
    Object.entries(value).every(([key, given]) => keyOf(key) !== name || flag(given) === true);
  return allows('render') && allows('list') ? 'shows' : 'withholds';
};

const rules = new Map<string, Rule>();
const define = (rule: Rule, keys: string): void => {
  for (const key of keys.split(' ')) rules.set(key, rule);
};
define(
  byFlag('withholds', 'shows'),
  'draft drafts isdraft hidden hide ishidden unlisted isunlisted private isprivate headless unpublished wip protected encrypt encrypted noindex robotsnoindex seonoindex eleventyexcludefromcollections excludefromcollections membersonly paid premium archived disabled deleted trashed expired withheld confidential',
);
define(
  byFlag('shows', 'withholds'),
  'ispublished public ispublic visible isvisible listed islisted live online enabled enable active approved ready',
);
define(
  byFlag('withholds', 'shows', () => 'withholds'),
  'password passcode secret excluded',
);
define(byFlag('shows', 'withholds', from), 'published publish');
define(byFlag('withholds', 'shows', until), 'unpublish');
define(
  state,
  'status poststatus publishstatus publicationstatus publishstate state stage visibility access audience',
);
define(
  byFlag('unclear', 'shows', from),
  'date datetime pubdate pubdatetime pubtime publishdate publishdatetime publishtime publishedat publishat publisheddate publishedtime publishedon publishon datepublished publicationdate releasedate releasedat releaseat releaseon scheduled scheduledat scheduledfor scheduleddate scheduledate scheduleat schedule embargo embargountil embargodate golive goliveat golivedate livedate availablefrom availableat visiblefrom showfrom validfrom notbefore postdate posted postedat postedon dateposted created createdat createdon createddate creationdate datecreated',
);
define(
  byFlag('unclear', 'shows', until),
  'expirydate expiry expires expiresat expireat expireson expirationdate expiration unpublishdate unpublishat unpublishon enddate validuntil visibleuntil availableuntil showuntil notafter',
);
define(build, 'build');
define(
  unless(/^\s*(?:false|never|no)\s*$/i),
  'permalink output show display index list render article',
);
define(unless(/^$/), 'outputs');
define(unless(/noindex|none/i), 'robots');
define(unless(/^\s*_?(?:drafts?|private|hidden|trash)\s*$/i), 'layout type kind');

/** Whether a field that no rule knows may withhold the post, by its name. */
const suspicious =
  /draft|hidden|hide(?:from|in|on|post|page)|unlist|publish(?!er)|privat|secret|password|protect|restrict|embargo|expir|noindex|exclude|members?(?:only|hip|access)|newsletteraccess|paywall|visib|withh[eo]ld|confidential|trash|schedul|encrypt/;

export const isSuspicious = (name: string): boolean => suspicious.test(keyOf(name));

const unknown = byFlag('unclear', 'shows', (value) => (isShownState(value) ? 'shows' : 'unclear'));

const ruleOf = (key: string): Rule | undefined =>
  rules.get(key) ?? (isSuspicious(key) ? unknown : undefined);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Whether a post's fields let its source show it: each one that could withhold it must not. */
export function publicationOf(fields: Fields): Publication {
  const publication: Publication = { published: true, from: null, until: null, notes: [] };
  for (const [key, found] of fields) {
    const rule = ruleOf(key);
    if (!rule) continue;
    for (const field of found) if (!isEmpty(field.value)) apply(rule, field, publication);
  }
  return publication;
}

function apply(rule: Rule, { name, value }: Field, publication: Publication): void {
  const effect = rule(value);
  if (effect === 'shows') return;
  if (typeof effect === 'object') {
    if ('from' in effect) publication.from = Math.max(publication.from ?? 0, effect.from);
    else publication.until = Math.min(publication.until ?? effect.until, effect.until);
    return;
  }
  publication.published = false;
  if (effect === 'withholds' && /^(?:draft|published)$/i.test(name)) return;
  const written = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  const what = effect === 'withholds' ? 'does not show it to everybody' : 'cannot be understood';
  publication.notes.push(
    `Its field ${name} (${written.slice(0, 60)}) ${what}: imported as a draft.`,
  );
}

/** The names of template tags, components, and shortcodes or blocks. */
const parts = {
  markdown: /\{\{[<%]\s*([\w/-]+)|\{%-?\s*(\w+)/g,
  mdx: /<([A-Z]\w*)/g,
  wordpress: /\[([a-z][\w-]*)[\s\]]|<!-- wp:([\w/-]+)|"(blockVisibility)"/g,
};
const restricted = /member|premium|paywall|subscriber|loggedin|hidden/;

/** Notes on parts of a text that its source may show to some visitors only. */
export function withheldParts(text: string, format: keyof typeof parts): string[] {
  const names = [...text.matchAll(parts[format])].flatMap((found) =>
    found.slice(1).filter((name) => name !== undefined),
  );
  return [...new Set(names)]
    .filter((name) => isSuspicious(name) || restricted.test(keyOf(name)))
    .map(
      (name) => `Its part ${name.slice(0, 60)} may be for some visitors only: imported as a draft.`,
    );
}
