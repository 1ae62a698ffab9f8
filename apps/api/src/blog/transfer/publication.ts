import { outsideCode } from './convert/outside-code.ts';
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
/** @param zone for times without one */
type Rule = (value: unknown, zone: string) => Effect;

const yes = new Set(['true', 'yes', 'y', 'on', 't', '1', 'always']);
const no = new Set(['false', 'no', 'n', 'off', 'f', '0', 'never', 'none']);

/** Jekyll reads YAML 1.1, where `yes` is a boolean; many systems accept texts and numbers. */
function flag(value: unknown): boolean | null {
  const text = String(value).trim().toLowerCase();
  return yes.has(text) ? true : no.has(text) ? false : null;
}

const byFlag =
  (ifTrue: Effect, ifFalse: Effect, otherwise: Rule = () => 'unclear'): Rule =>
  (value, zone) => {
    const given = flag(value);
    return given === null ? otherwise(value, zone) : given ? ifTrue : ifFalse;
  };

/** The same text as a time in UTC, as posts are dated, and in the zone of the source. */
const timesOf = (value: unknown, zone: string): number[] =>
  [timeOf(value), timeOf(value, zone)].filter((time) => time !== null);

const from: Rule = (value, zone) => {
  const times = timesOf(isObject(value) ? value['created'] : value, zone);
  return times.length === 0 ? 'unclear' : { from: Math.max(...times) };
};
const until: Rule = (value, zone) => {
  const times = timesOf(value, zone);
  return times.length === 0 ? 'unclear' : { until: Math.min(...times) };
};

const shownStates = new Set(
  'published publish public live online released visible everyone everybody anyone all free'.split(
    ' ',
  ),
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
  'draft drafts isdraft hidden hide ishidden unlisted isunlisted private isprivate headless unpublished wip protected encrypt encrypted noindex robotsnoindex seonoindex eleventyexcludefromcollections excludefromcollections membersonly paid ispaid premium ispremium archived isarchived disabled deleted isdeleted removed trashed expired suspended withheld withdrawn confidential internal gated locked ignore ignored skip unfinished incomplete inprogress notready',
);
define(
  byFlag('shows', 'withholds'),
  'ispublished public ispublic visible isvisible listed islisted live online enabled enable active isactive approved ready isready finished',
);
define(
  byFlag('withholds', 'shows', () => 'withholds'),
  'password passcode secret excluded',
);
define(byFlag('shows', 'withholds', from), 'published publish');
define(byFlag('withholds', 'shows', until), 'unpublish');
define(
  state,
  'status poststatus publishstatus publicationstatus publishstate state stage workflow workflowstate workflowstatus reviewstatus moderationstate visibility access accesslevel accesstype audience tier tiers permissions',
);
define(
  byFlag('unclear', 'shows', from),
  'date datetime pubdate pubdatetime pubtime publishdate publishdatetime publishtime publishedat publishat publisheddate publishedtime publishedon publishon datepublished publicationdate releasedate releasedat releaseat releaseon scheduled scheduledat scheduledfor scheduleddate scheduledate scheduleat schedule embargo embargountil embargodate golive goliveat golivedate livedate availablefrom availableat launch launchdate launchat activefrom livefrom visiblefrom showfrom validfrom notbefore postdate posted postedat postedon dateposted created createdat createdon createddate creationdate datecreated',
);
define(
  byFlag('unclear', 'shows', until),
  'expirydate expiry expires expiresat expireat expireson expirationdate expiration unpublishdate unpublishat unpublishon enddate validuntil activeuntil liveuntil visibleuntil availableuntil showuntil notafter',
);
define(build, 'build');
// Templates may decide, as in Eleventy: `permalink: "{% if draft %}false{% endif %}"`.
define(
  unless(/^\s*(?:false|never|no)\s*$|\bfalse\b|\{%/i),
  'permalink output show display index list render article',
);
define(unless(/^$/), 'outputs');
define(unless(/noindex|none/i), 'robots');
// What they contain is not about whether a post is shown, whatever it is.
define(
  () => 'shows',
  'title linktitle subtitle slug name description summary excerpt author authors tag tags category categories keywords series image images cover thumbnail banner toc menu menus nav',
);

/** Whether a field that no rule knows may withhold the post, by its name. */
const suspicious =
  /draft|hidden|hide(?:from|in|on|post|page)|unlist|publish(?!er)|privat|secret|password|protect|restrict|embargo|expir|noindex|exclude|members?(?:only|hip|access)|newsletteraccess|subscriber|patreon|paywall|premium|login|only$|visib|withh[eo]ld|confidential|trash|schedul|encrypt/;

export const isSuspicious = (name: string): boolean => suspicious.test(keyOf(name));

const unknown =
  (key: string): Rule =>
  (value, zone) => {
    const namesPublication = /publish|visib/.test(key);
    // Such as `dg-publish` of Obsidian, unlike `do-not-publish`.
    const isPositive =
      /(?<!un|in|no|not|dont|never|non|to|pre|hide)(?:publish(?:ed)?|visible)$/.test(key);
    return byFlag(isPositive ? 'shows' : 'unclear', namesPublication ? 'unclear' : 'shows', () =>
      isShownState(value) ? 'shows' : 'unclear',
    )(value, zone);
  };

/** What a field says by its value, such as `layout: draft` or `phase: "In review"`. */
const withheldValue =
  /^_?(?:drafts?|private|hidden|unlisted|unpublished|pending(?:review)?|scheduled|embargoed|archived|trash|trashed|deleted|wip|workinprogress|inprogress|inreview|internal|confidential|membersonly|subscribersonly|paid|premium|noindex)$/;
const byValue: Rule = (value) =>
  withheldValue.test(keyOf(textOf(value))) || /\bnoindex\b/i.test(textOf(value))
    ? 'unclear'
    : 'shows';

const ruleOf = (key: string): Rule =>
  rules.get(key) ?? (isSuspicious(key) ? unknown(key) : byValue);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Whether a post's fields let its source show it: each one that could withhold it must not.
 * @param zone of the source, for times without one
 */
export function publicationOf(fields: Fields, zone = 'UTC'): Publication {
  const publication: Publication = { published: true, from: null, until: null, notes: [] };
  for (const [key, found] of fields) {
    for (const field of found) {
      if (!isEmpty(field.value)) apply(ruleOf(key), field, publication, zone);
      if (!rules.has(key)) applyInner(field, publication, zone);
    }
  }
  return publication;
}

/** Fields of an object, such as `seo: { noindex: true }`, if their names alone say enough. */
function applyInner({ name, value }: Field, publication: Publication, zone: string): void {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const field = { name: `${name}.${key}`, value: inner };
    const isClear = isSuspicious(key) || /^(?:status|state|visibility)$/.test(keyOf(key));
    if (isClear && !isEmpty(inner)) apply(ruleOf(keyOf(key)), field, publication, zone);
    applyInner(field, publication, zone);
  }
}

function apply(rule: Rule, { name, value }: Field, publication: Publication, zone: string): void {
  const effect = rule(value, zone);
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
  mdx: /<([A-Z][\w.]*)/g,
  wordpress: /\[([a-z]\w[\w-]*)[\s\]]|<!-- wp:([\w/-]+)|"(blockVisibility)"/gi,
};
const restricted =
  /member|premium|paywall|paid|subscriber|patreon|patron|log(?:ged)?in|signedin|visitor|hidden|^hide|^lock|password|^s2if|^mepr|^rcp/;

/** Conditions of Liquid and Nunjucks, which are not evaluated. In code they are examples. */
const condition = /\{%-?\s*((?:els)?if|unless|case)\b/g;
const raw = /\{%-?\s*(?:raw|verbatim)\s*-?%\}/;
const endOfRaw = /\{%-?\s*end(?:raw|verbatim)\s*-?%\}/;

function withoutRaw(text: string): string {
  const [start = '', ...parts] = text.split(raw);
  return parts.reduce((rest, part) => rest + part.split(endOfRaw).slice(1).join(''), start);
}

/** Notes on parts of a text that its source may show to some visitors only. */
export function withheldParts(text: string, format: keyof typeof parts): string[] {
  const names = namesIn(text, parts[format]).filter(
    (name) => isSuspicious(name) || restricted.test(keyOf(name)),
  );
  if (format === 'markdown') {
    outsideCode(text, (part) => {
      names.push(...namesIn(withoutRaw(part), condition));
      return part;
    });
  }
  return [...new Set(names)].map(
    (name) => `Its part ${name.slice(0, 60)} may be for some visitors only: imported as a draft.`,
  );
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap((found) =>
    found.slice(1).filter((name) => name !== undefined),
  );
