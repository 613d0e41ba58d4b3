/** Maximum characters of release notes; the page of the release has the rest. */
const MAX_LENGTH = 8000

/** The section of a version in CHANGELOG.md, else the unreleased section. */
export function notesIn(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section =
    sections.find((text) => headOf(text).startsWith(version)) ?? sections.find((text) => headOf(text) === 'Unreleased')
  const notes = (section ?? '').replace(/^.*\n/, '').trim()
  return notes.length > MAX_LENGTH ? `${notes.slice(0, MAX_LENGTH)}…` : notes
}

const headOf = (section) =>
  section
    .split('\n', 1)[0]
    .replace(/^\[?v?/, '')
    .trim()
