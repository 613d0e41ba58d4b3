import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import {
  type ConnectPath,
  endOfLine,
  lineAndColumn,
  lineEndOf,
  pathName,
  spliced,
  startOfLine,
  type TextEditor,
  UnfitText,
} from './editor.ts'

/** Edits TOML using the ranges that its parser reports; our values are strings, in tables of our own. */
export const tomlEditor: TextEditor = {
  read: (text) => getStaticTOMLValue(parsedFrom(text)),
  at(text, path) {
    const entry = entryAt(text, path)
    return entry && { value: getStaticTOMLValue(entry.value), raw: text.slice(...entry.value.range) }
  },
  put(text, path, value) {
    if (typeof value !== 'string') throw new UnfitText('shape', pathName(path))
    const entry = entryAt(text, path)
    if (entry) return spliced(text, ...entry.value.range, JSON.stringify(value))
    const line = `${keyOf(path.at(-1))} = ${JSON.stringify(value)}`
    const table = path.slice(0, -1)
    return table.length === 0 ? atTop(text, line) : inTable(text, table, line)
  },
  restore(text, path, raw) {
    const entry = entryAt(text, path)
    return entry ? spliced(text, ...entry.value.range, raw) : text
  },
  remove(text, path) {
    const entry = entryAt(text, path)
    if (entry) {
      if (entry.parent.type === 'TOMLInlineTable') throw new UnfitText('shape', pathName(path))
      return withoutLines(text, ...entry.range)
    }
    const table = tableAt(text, path)
    if (!table || table.body.length > 0) return text
    const from = startOfLine(text, table.range[0])
    // Also removes the empty line before a table.
    const above = startOfLine(text, from - 1)
    const isGap = from > 0 && text.slice(above, from).trim() === ''
    return spliced(text, isGap ? above : from, endOfLine(text, table.range[1]), '')
  },
}

function parsedFrom(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: '1.1' })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new UnfitText('broken', `${lineAndColumn(text, error.index)} ${error.message}`)
  }
}

const isText = (step: unknown): step is string => typeof step === 'string'
const keysOf = ({ keys }: AST.TOMLKey): string[] => keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((step, at) => step === other[at])

/** A key as written: bare if possible. */
const keyOf = (step: unknown): string => (isText(step) && /^[\w-]+$/.test(step) ? step : JSON.stringify(step))

function entryAt(text: string, path: ConnectPath): AST.TOMLKeyValue | undefined {
  const [top] = parsedFrom(text).body
  return entriesIn([], top.body).find(({ at }) => isSame(at, path))?.entry
}

type Found = Readonly<{ at: readonly (string | number)[]; entry: AST.TOMLKeyValue }>

function entriesIn(before: readonly (string | number)[], body: readonly (AST.TOMLKeyValue | AST.TOMLTable)[]): Found[] {
  return body.flatMap((node): Found[] => {
    if (node.type === 'TOMLTable') return entriesIn(node.resolvedKey, node.body)
    const at = [...before, ...keysOf(node.key)]
    return [{ at, entry: node }, ...(node.value.type === 'TOMLInlineTable' ? entriesIn(at, node.value.body) : [])]
  })
}

function tableAt(text: string, path: ConnectPath): AST.TOMLTable | undefined {
  const [top] = parsedFrom(text).body
  return top.body
    .filter((node) => node.type === 'TOMLTable')
    .find(({ kind, resolvedKey }) => kind === 'standard' && isSame(resolvedKey, path))
}

/** Inserts a line after the last value outside tables, or before the first table and the comments above it. */
function atTop(text: string, line: string): string {
  const [top] = parsedFrom(text).body
  const eol = lineEndOf(text)
  const last = top.body.findLast(({ type }) => type === 'TOMLKeyValue')
  if (last) return addedLine(text, last.range[1], line)
  const table = top.body[0]
  if (!table) return text === '' || text.endsWith('\n') ? `${text}${line}${eol}` : `${text}${eol}${line}${eol}`
  let at = startOfLine(text, table.range[0])
  while (at > 0 && /^[ \t]*#/.test(text.slice(startOfLine(text, at - 1), at))) at = startOfLine(text, at - 1)
  return spliced(text, at, at, `${line}${eol}`)
}

function inTable(text: string, path: ConnectPath, line: string): string {
  const table = tableAt(text, path)
  if (table) return addedLine(text, (table.body.at(-1) ?? table.key).range[1], line)
  const eol = lineEndOf(text)
  const gap = text === '' ? '' : eol
  const end = text === '' || text.endsWith('\n') ? '' : eol
  return `${text}${end}${gap}[${path.map(keyOf).join('.')}]${eol}${line}${eol}`
}

/** Inserts a separate line below the one that contains `offset`. */
function addedLine(text: string, offset: number, line: string): string {
  const eol = lineEndOf(text)
  const end = endOfLine(text, offset)
  return text[end - 1] === '\n' ? spliced(text, end, end, line + eol) : `${text}${eol}${line}${eol}`
}

const withoutLines = (text: string, from: number, to: number): string =>
  spliced(text, startOfLine(text, from), endOfLine(text, to), '')
