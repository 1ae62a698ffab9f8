import type { CSSProperties } from 'react';
import { type ThemeClass, themed } from './theme.ts';

/*
 * Email clients block remote images and drop SVG, so illustrations are boxes and slanted borders.
 * Outlook for Windows does not render slants: `mso-hide` hides the illustrations there.
 */
const msoHide: CSSProperties & { msoHide: string } = { msoHide: 'all' };

interface BoxProps {
  color: ThemeClass;
  width: number;
  height: number;
  style?: CSSProperties;
}

const Box = ({ color, width, height, style }: BoxProps) => (
  <div {...themed(color, { ...msoHide, width, height, margin: '0 auto', ...style })} />
);

interface TrapezoidProps {
  color: ThemeClass;
  width: number;
  height: number;
  /** In pixels, per side. */
  slant: number;
  wide: 'Top' | 'Bottom';
}

const Trapezoid = ({ color, width, height, slant, wide }: TrapezoidProps) => (
  <div
    {...themed(color, {
      ...msoHide,
      width: width - 2 * slant,
      height: 0,
      margin: '0 auto',
      borderLeft: `${slant}px solid transparent`,
      borderRight: `${slant}px solid transparent`,
      [`border${wide}`]: `${height}px solid`,
    })}
  />
);

/** The company's logo as on its app icon, see apps/web/src/brand/mark.ts. A table cell. */
export const Lantern = () => (
  <td width={36} valign="middle" aria-hidden="true" style={{ ...msoHide, paddingRight: 12 }}>
    <div
      {...themed('tile', {
        ...msoHide,
        width: 36,
        height: 29,
        paddingTop: 7,
        borderRadius: 9,
        fontSize: 0,
        lineHeight: 0,
      })}
    >
      <Box color="metal" width={4} height={2} />
      <Trapezoid color="metal-roof" width={22} height={7} slant={5} wide="Bottom" />
      <div style={{ ...msoHide, height: 2 }} />
      <Trapezoid color="light-cone" width={18} height={11} slant={3} wide="Top" />
      <Box color="metal" width={14} height={2} />
    </div>
  </td>
);

interface House {
  walls: 'near' | 'near-too' | 'far';
  width: number;
  height: number;
  roof: { height: number; slant: number };
  windows: readonly ('pane' | 'lamp')[];
}

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

const windowWidth = 7;

const HouseCell = ({ walls, width, height, roof, windows }: House) => {
  const gap = Math.floor((width - windows.length * windowWidth) / (windows.length + 1));
  const cell = { ...msoHide, paddingRight: 5, fontSize: 0, lineHeight: 0 };
  return (
    <td valign="bottom" style={cell}>
      <Trapezoid color={`${walls}-roof`} width={width} {...roof} wide="Bottom" />
      <div {...themed(walls, { ...msoHide, width, height })}>
        {windows.map((pane, index) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is rendered
            key={index}
            color={pane}
            width={windowWidth}
            height={10}
            style={{ margin: `9px 0 0 ${gap}px`, display: 'inline-block', verticalAlign: 'top' }}
          />
        ))}
      </div>
    </td>
  );
};

export const Street = () => (
  <table role="presentation" cellPadding={0} cellSpacing={0} aria-hidden="true" style={msoHide}>
    <tbody>
      <tr>
        {houses.map((house) => (
          <HouseCell key={`${house.width}`} {...house} />
        ))}
      </tr>
    </tbody>
  </table>
);
