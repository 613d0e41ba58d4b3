import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this installation: the nearest one above this file with a package.json, built or not. */
export const installation: string = nearest(import.meta.dirname)

/** The folder of the API viewer's files: from the build, else from their package. */
export const viewerFolder: string = viewerIn(installation)

export const version: string = readVersion(join(installation, 'package.json'))

function nearest(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  return nearest(dirname(folder))
}

function viewerIn(folder: string): string {
  const built = join(folder, 'out', 'viewer')
  return existsSync(built) ? built : join(folder, 'node_modules', 'swagger-ui-dist')
}

function readVersion(file: string): string {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : '0.0.0'
}
