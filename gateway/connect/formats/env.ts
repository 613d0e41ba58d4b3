import { parseEnv } from 'node:util'
import type { PlainValue } from '../../../shared/connect/client.ts'
import {
  type ConnectPath,
  endOfLine,
  lineEndOf,
  pathName,
  spliced,
  startOfLine,
  type TextEditor,
  UnfitText,
} from './editor.ts'

/** Variables, one per line, as dotenv reads them; the last of several with the same name is used. */
export const envEditor: TextEditor = {
  read: (text) => ({ ...parseEnv(text) }),
  at(text, path) {
    const line = lineOf(text, path)
    return line && { value: parseEnv(text)[nameIn(path)], raw: text.slice(line.from, line.to) }
  },
  put(text, path, value) {
    const line = lineOf(text, path)
    const words = quoted(value, path)
    if (line) return spliced(text, line.from, line.to, words)
    const eol = lineEndOf(text)
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return `${text}${gap}${nameIn(path)}=${words}${eol}`
  },
  restore(text, path, raw) {
    const line = lineOf(text, path)
    return line ? spliced(text, line.from, line.to, raw) : text
  },
  remove(text, path) {
    const line = lineOf(text, path)
    return line ? spliced(text, startOfLine(text, line.name), endOfLine(text, line.to), '') : text
  },
}

const nameIn = ([step]: ConnectPath): string => (typeof step === 'string' ? step : '')

/** A quoted value may span several lines. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?![ \t])("(?:\\"|[^"])*"|'[^']*'|`[^`]*`|(?:[^#\r\n \t](?:[^#\r\n]*[^#\r\n \t])?)?)(?=[ \t]*(?:#|\r?$))/gm

/** The positions of the name and the value in the line that is used. */
function lineOf(text: string, path: ConnectPath) {
  const line = [...text.matchAll(assignment)].findLast(([, name]) => name === nameIn(path))
  if (!line) return undefined
  const [match, , value = ''] = line
  const to = line.index + match.length
  return { name: line.index, from: to - value.length, to }
}

function quoted(value: PlainValue, path: ConnectPath): string {
  if (typeof value !== 'string' || /["\\\r\n`]/.test(value)) throw new UnfitText('shape', pathName(path))
  return `"${value}"`
}
