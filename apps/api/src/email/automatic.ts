/** Keeps vacation responders from answering (RFC 3834 §5). */
export const automatic = { 'Auto-Submitted': 'auto-generated' };
