export const coverSize = { width: 640, height: 360 } as const;
