export const desktop = { viewport: { width: 1_280, height: 800 } };

export const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
