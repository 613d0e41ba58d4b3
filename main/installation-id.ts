import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../gateway/base/whole-file.ts'
import { CannotStart, EXIT } from '../gateway/store/sqlite/database.ts'

/** A file in the data folder, so that it moves with the data: one line per key, the current one first. */
const FILE = 'installation-id'
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The names of this installation's keychain entries, the current one first; empty until a key is created. Throws file
 * system errors.
 */
export function readIds(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, FILE), 'utf8')
      .split('\n')
      .filter((line) => ID.test(line))
  } catch (error) {
    // No key was ever stored in a keychain for this data.
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export const newId = (): string => randomUUID()

/** The folder cannot be read or written although its permissions allow it: the disk is full or failing. */
export class UnusableFolder extends CannotStart {}

/** Makes an id the current one, before former ones. Throws `UnusableFolder` on file system errors. */
export function storeId(folder: string, id: string): void {
  const file = join(folder, FILE)
  try {
    replaceFile(file, `${[id, ...readIds(folder)].join('\n')}\n`)
  } catch (cause) {
    throw new UnusableFolder(EXIT.badData, `${file} cannot be written`, cause)
  }
}
