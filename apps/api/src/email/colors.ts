/**
 * The colors of mails, by day and by night. Those of the site's stylesheet under the same
 * names (a test compares them), and three of the drawings, which look alike at any hour.
 */
export const colors = {
  ground: { day: '#fbf7ef', night: '#0d1413' },
  raised: { day: '#ffffff', night: '#141d1b' },
  ink: { day: '#15211e', night: '#f1ede3' },
  soft: { day: '#4c5a55', night: '#a9b4ae' },
  line: { day: '#e4dccb', night: '#25312e' },
  lamp: { day: '#f0a534', night: '#ffc163' },
  field: { day: '#0f5140', night: '#8fd8b8' },
  'field-ink': { day: '#ffffff', night: '#0b1a15' },
  far: { day: '#ccd6c3', night: '#1c3237' },
  near: { day: '#0f5140', night: '#2f4c44' },
  'near-too': { day: '#2d6a57', night: '#264039' },
  pane: { day: '#d5e3d6', night: '#15262a' },
  /** The tile with the lantern on it, as the app icon has it. */
  tile: { day: '#0f5140', night: '#264039' },
  metal: { day: '#fbf7ef', night: '#fbf7ef' },
  light: { day: '#ffc163', night: '#ffc163' },
} as const satisfies Record<string, { day: string; night: string }>;

export type ColorName = keyof typeof colors;
