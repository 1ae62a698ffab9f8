// The last step of the build of apps/web, in whose folder it runs.
import { compressStaticFiles } from './built-siblings.ts';

compressStaticFiles('dist/client', 'dist/compressed');
