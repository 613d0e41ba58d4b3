import { readFileSync } from 'node:fs'

/** The release, from package.json. */
export const version: string = readVersion()

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : '0.0.0'
}
