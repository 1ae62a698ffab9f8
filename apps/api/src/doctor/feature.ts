import type { Feature } from '../feature.ts';
import { doctor as command } from './command.ts';

export const doctor: Feature<object> = { name: 'doctor', commands: [command] };
