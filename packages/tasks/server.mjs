/**
 * How Node runs the built server. The young generation of the heap is limited: without a limit it
 * grows to a multiple of what the server needs and never shrinks.
 */
export const serverArguments = ['--max-semi-space-size=4', 'apps/api/dist/main.js'];
