import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of the files below a folder, a database's own among them, in which a text stands in clear. */
export const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'latin1').includes(text))
