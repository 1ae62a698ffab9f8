/**
 * How Node runs the built server. The young generation of the heap is kept small: left alone it
 * grows to a multiple of what the server needs, and is never given back.
 */
export const serverArguments = ['--max-semi-space-size=4', 'apps/api/dist/main.js'];
