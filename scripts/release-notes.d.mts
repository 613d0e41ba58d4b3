/** What scripts/release-notes.mjs promises, for tests that are TypeScript. */
export function notesIn(changelog: string, version: string): string
