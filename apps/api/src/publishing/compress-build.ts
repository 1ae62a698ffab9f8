// The last step of the build of apps/web; runs in that folder.
import { compressStaticFiles } from './built-siblings.ts';

compressStaticFiles('dist/client', 'dist/compressed');
