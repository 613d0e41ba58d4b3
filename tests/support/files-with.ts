import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** Names of the files below a folder, database files included, that contain a text in clear. */
export const filesWith = (folder: string, text: string): string[] =>
  filesBelow(folder).filter((file) => readFileSync(file, 'latin1').includes(text))

/** The given texts that occur in clear in a file below a folder; each file is read once. */
export function textsIn(folder: string, texts: readonly string[]): string[] {
  const contents = filesBelow(folder).map((file) => readFileSync(file, 'latin1'))
  return texts.filter((text) => contents.some((content) => content.includes(text)))
}
