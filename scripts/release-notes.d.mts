/** Types of scripts/release-notes.mjs for tests, which are TypeScript. */
export function notesIn(changelog: string, version: string): string
