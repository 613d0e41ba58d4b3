/**
 * The module that `main/` imports as Electron, in every test file (every-file.ts). It is one object because files share
 * the modules that a worker has loaded, and those stay bound to the first; it is empty at the start of a file, which
 * adds what its tests need.
 */
export const electron: Record<string, unknown> = {}
