import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../gateway/base/whole-file.ts'
import { CannotStart, EXIT } from '../gateway/store/database.ts'

/** Beside the data, so that it goes where that goes: a line for each key there was, that of now first. */
const FILE = 'installation-id'
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The names of this installation's entries in the keychain, that of now first; none before a key was made there. Throws what the disk throws. */
export function readIds(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, FILE), 'utf8')
      .split('\n')
      .filter((line) => ID.test(line))
  } catch (error) {
    // Nothing was ever put into a keychain for this data.
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** A name for an entry that nobody has. */
export const newId = (): string => randomUUID()

/** The folder cannot be read or written, though it may seem so: the disk is full, or fails. */
export class UnusableFolder extends CannotStart {}

/** Puts a name before those of former keys, which stay. Throws `UnusableFolder` for what the disk says. */
export function keepId(folder: string, id: string): void {
  const file = join(folder, FILE)
  try {
    replaceFile(file, `${[id, ...readIds(folder)].join('\n')}\n`)
  } catch (cause) {
    throw new UnusableFolder(EXIT.badData, `${file} cannot be written`, cause)
  }
}
