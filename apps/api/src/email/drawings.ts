import { groundOf, type Paint, painted } from './paint.ts';

/*
 * Mail programs block remote pictures and drop SVG. What they all draw are boxes and slanted
 * borders, so the lantern and the street are made of these. Only Outlook for Windows draws no
 * slants: it gets the words alone.
 */
const notInOutlook = (html: string): string => `<!--[if !mso]><!-->${html}<!--<![endif]-->`;

const box = (paint: Paint, width: number, height: number, place = 'margin:0 auto'): string =>
  `<div ${painted(paint, `width:${width}px;height:${height}px;${place}`)}></div>`;

/** A trapezoid that is narrower by `slant` on each side at its top, or else at its foot. */
const slanted = (
  paint: Paint,
  [width, height, slant]: readonly [number, number, number],
  narrow: 'top' | 'foot',
): string => {
  const sides = `${slant}px solid transparent`;
  const wide = narrow === 'top' ? 'bottom' : 'top';
  const borders = `border-left:${sides};border-right:${sides};border-${wide}:${height}px solid`;
  return `<div ${painted(paint, `width:${width - 2 * slant}px;height:0;margin:0 auto;${borders}`)}></div>`;
};

/** The mark of the company, as on its app icon; see apps/web/src/brand/mark.ts. Followed by its name. */
export const lantern = notInOutlook(
  `<td width="36" valign="middle" style="padding-right:12px"><table role="presentation" cellpadding="0" cellspacing="0" aria-hidden="true"><tr><td ${groundOf('tile')} height="36" valign="middle" ${painted('tile', 'width:36px;border-radius:9px;font-size:0;line-height:0')}>${[
    box('metal', 4, 2),
    slanted('metal-roof', [22, 7, 5], 'top'),
    '<div style="height:2px"></div>',
    slanted('light-cone', [18, 11, 3], 'foot'),
    box('metal', 14, 2),
  ].join('')}</td></tr></table></td>`,
);

interface House {
  walls: 'near' | 'near-too' | 'far';
  width: number;
  height: number;
  roof: { height: number; slant: number };
  /** From left to right. */
  windows: readonly ('pane' | 'lamp')[];
}

const house = ({ walls, width, height, roof, windows }: House): string => {
  const gap = Math.floor((width - windows.length * 7) / (windows.length + 1));
  const panes = windows.map((pane) =>
    box(pane, 7, 10, `margin:9px 0 0 ${gap}px;display:inline-block;vertical-align:top`),
  );
  return `<td valign="bottom" style="padding-right:5px;font-size:0;line-height:0">${slanted(`${walls}-roof`, [width, roof.height, roof.slant], 'top')}<div ${painted(walls, `width:${width}px;height:${height}px`)}>${panes.join('')}</div></td>`;
};

/** The street at the hour when the porch lights come on: somebody is home. */
const houses: readonly House[] = [
  {
    walls: 'far',
    width: 34,
    height: 20,
    roof: { height: 15, slant: 17 },
    windows: ['pane', 'pane'],
  },
  {
    walls: 'near',
    width: 42,
    height: 26,
    roof: { height: 18, slant: 21 },
    windows: ['pane', 'pane'],
  },
  {
    walls: 'near-too',
    width: 54,
    height: 28,
    roof: { height: 15, slant: 14 },
    windows: ['pane', 'lamp', 'pane'],
  },
  { walls: 'far', width: 30, height: 32, roof: { height: 13, slant: 15 }, windows: ['pane'] },
  {
    walls: 'near',
    width: 46,
    height: 22,
    roof: { height: 19, slant: 23 },
    windows: ['pane', 'pane'],
  },
];

export const street = notInOutlook(
  `<table role="presentation" cellpadding="0" cellspacing="0" aria-hidden="true"><tr>${houses.map(house).join('')}</tr></table>`,
);
