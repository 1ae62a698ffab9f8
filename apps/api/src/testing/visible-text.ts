interface VisibleText {
  text: string;
  color: string;
  ground: string;
}

const voids = /^(?:br|meta|hr|img|link|!doctype)$/i;

/** Texts with the colors that a reader sees. Supports inline styles and rules for one class. */
export function visibleTexts(html: string, hour: 'day' | 'night'): VisibleText[] {
  const rules = hour === 'night' ? nightRules(html) : new Map<string, string>();
  const found: VisibleText[] = [];
  const open = [{ color: '', ground: '', isHidden: false }];
  const body = html.slice(html.indexOf('<body')).replace(/<!--[\s\S]*?-->/g, '');
  for (const [, end, tag = '', attributes = '', text] of body.matchAll(
    /<(\/?)([\w!]+)([^>]*)>|([^<]+)/g,
  )) {
    const here = open.at(-1) ?? { color: '', ground: '', isHidden: false };
    if (text !== undefined) {
      const { color, ground, isHidden } = here;
      if (!isHidden && text.replaceAll('&nbsp;', '').trim() !== '') {
        found.push({ text: text.trim(), color, ground });
      }
    } else if (end) open.pop();
    else if (!voids.test(tag)) {
      const classes = /class="([^"]*)"/.exec(attributes)?.[1]?.split(' ') ?? [];
      const inline = /style="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const style = [inline, ...classes.map((name) => rules.get(name) ?? '')].join(';');
      open.push({
        color: lastOf('color', style) ?? here.color,
        ground: lastOf('background-color', style) ?? here.ground,
        isHidden: here.isHidden || /display:none/.test(style),
      });
    }
  }
  return found;
}

const lastOf = (property: string, style: string): string | undefined =>
  [...style.matchAll(new RegExp(`(?:^|;)${property}:(#[\\da-f]{6})`, 'g'))].at(-1)?.[1];

const nightRules = (html: string): Map<string, string> => {
  const [, night = ''] = /@media \(prefers-color-scheme:dark\)\{(.*?\})\}/.exec(html) ?? [];
  return new Map(
    [...night.matchAll(/\.([\w-]+)\{([^}]*)\}/g)].map(([, name = '', style = '']) => [name, style]),
  );
};

/** 1 to 21 (WCAG 2.1, "contrast ratio"). */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/g) ?? []).map((pair) => {
    const channel = Number.parseInt(pair, 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
