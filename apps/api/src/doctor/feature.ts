import type { Feature } from '../feature.ts';

export const doctor: Feature<object> = {
  name: 'doctor',
  commands: async () => [(await import('./command.ts')).doctor],
};
