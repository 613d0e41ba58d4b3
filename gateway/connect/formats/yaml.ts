import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  parseDocument,
} from 'yaml'
import type { ConnectStep, PlainValue } from '../../../shared/connect/client.ts'
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

/**
 * Edits YAML using the ranges that its parser reports: lines are added and removed, and nodes are never serialized
 * again.
 */
export const yamlEditor: TextEditor = {
  read: (text) => documentOf(text).toJS({ maxAliasCount: 100 }) ?? {},
  at(text, path) {
    const spot = spotOf(documentOf(text), path)
    if (!spot) return undefined
    const [from, to] = valueRange(text, spot)
    return { value: spot.value ? plainOf(spot.value, text) : null, raw: text.slice(from, to) }
  },
  put(text, path, value) {
    const document = documentOf(text)
    const spot = spotOf(document, path)
    if (spot) return replaced(text, spot, path, value)
    const depth = path.findIndex((_, at) => !spotOf(document, path.slice(0, at + 1)))
    const [step, ...rest] = path.slice(depth)
    if (step === undefined) throw new UnfitText('shape', pathName(path))
    const lines = linesOf(step, nested(rest, value))
    const parent = depth === 0 ? undefined : spotOf(document, path.slice(0, depth))
    return inserted(text, { document, holder: parent, step, lines, name: pathName(path.slice(0, depth)) })
  },
  restore(text, path, raw) {
    const spot = spotOf(documentOf(text), path)
    return spot ? spliced(text, ...valueRange(text, spot), raw) : text
  },
  remove(text, path) {
    const document = documentOf(text)
    const spot = spotOf(document, path)
    if (!spot) return text
    const from = startOfLine(text, spot.start)
    const to = endOfLine(text, spot.end)
    // Another key or dash on the first line, such as that of the enclosing list, must not be removed.
    if (!/^[ \t]*(?:-[ \t]+)?$/.test(text.slice(from, spot.start)) || spot.isFlow)
      throw new UnfitText('shape', pathName(path))
    const taken = spliced(text, from, to, '')
    const parent = path.length > 1 ? spotOf(document, path.slice(0, -1)) : undefined
    if (!parent?.value || !('items' in parent.value) || parent.value.items.length > 1 || parent.keyEnd === undefined)
      return taken
    return spliced(taken, parent.keyEnd, parent.keyEnd, isSeq(parent.value) ? ' []' : ' {}')
  },
}

/** The range of a key or a list entry; `keyEnd` is after the colon. */
type Spot = Readonly<{
  start: number
  end: number
  keyEnd: number | undefined
  value: Node | undefined
  column: number
  isFlow: boolean
}>

function documentOf(text: string): Document.Parsed {
  const options = { keepSourceTokens: true, logLevel: 'silent' } as const
  const [first, ...more] = parseAllDocuments(text, options)
  if (more.length > 0) throw new UnfitText('shape', '---')
  const document = first ?? parseDocument(text, options)
  const [error] = document.errors
  if (error) throw new UnfitText('broken', `${lineAndColumn(text, error.pos[0])} ${error.code}`)
  const root: unknown = document.contents
  const isEmpty = root === null || (isScalar(root) && root.value === null && root.source === '')
  if (!isEmpty && !(isMap(root) && !root.flow)) throw new UnfitText('shape', '{}')
  return document
}

function spotOf(document: Document.Parsed, path: ConnectPath): Spot | undefined {
  let node: unknown = document.contents
  let spot: Spot | undefined
  for (const step of path) {
    spot = childAt(node, step)
    if (!spot) return undefined
    if (isAlias(spot.value)) throw new UnfitText('shape', pathName(path))
    node = spot.value
  }
  return spot
}

function childAt(node: unknown, step: ConnectStep): Spot | undefined {
  if (typeof step === 'string') {
    const pair = isMap(node) ? node.items.findLast(({ key }) => isScalar(key) && key.value === step) : undefined
    return pair && ofPair(pair, isMap(node) && node.flow === true)
  }
  if (!isSeq(node)) return undefined
  const entry = node.items.find((item) => isMap(item) && item.get(step.where) === step.is)
  if (!isMap(entry) || !entry.range) return undefined
  const [start, end] = entry.range
  return { start, end, keyEnd: undefined, value: entry, column: 0, isFlow: node.flow === true }
}

function ofPair({ key, value, srcToken }: Pair, isFlow: boolean): Spot | undefined {
  if (!isScalar(key) || !key.range) return undefined
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
  const keyEnd = colon ? colon.offset + 1 : key.range[1]
  const node = value as Node | null
  const isThere = node?.range && node.range[1] > node.range[0]
  return {
    start: key.range[0],
    end: isThere && node.range ? node.range[1] : keyEnd,
    keyEnd,
    value: node ?? undefined,
    column: 0,
    isFlow,
  }
}

function valueRange(text: string, { value, keyEnd, end, start }: Spot): [number, number] {
  if (keyEnd === undefined) return [start, end]
  if (!value?.range || value.range[1] === value.range[0]) return [keyEnd, keyEnd]
  const from = keyEnd + (/^[ \t]*/.exec(text.slice(keyEnd))?.[0].length ?? 0)
  return [Math.min(from, value.range[0]), value.range[1]]
}

const plainOf = (value: Node, text: string): unknown => value.toJS(documentOf(text), { maxAliasCount: 100 })

/**
 * Puts a plain value in place of the old one, which must be on one line. For an object or a list, replaces all lines of
 * the entry, which only we create.
 */
function replaced(text: string, spot: Spot, path: ConnectPath, value: PlainValue): string {
  const step = path.at(-1)
  const [from, to] = valueRange(text, spot)
  const isPlain = typeof value !== 'object' || value === null
  if (isPlain) {
    if (text.slice(from, to).includes('\n') || spot.isFlow) throw new UnfitText('shape', pathName(path))
    return spliced(text, from, to, `${text[from - 1] === ':' ? ' ' : ''}${JSON.stringify(value)}`)
  }
  if (step === undefined || spot.isFlow) throw new UnfitText('shape', pathName(path))
  const eol = lineEndOf(text)
  const lineStart = startOfLine(text, spot.start)
  const lead = text.slice(lineStart, spot.start)
  if (!/^[ \t]*(?:-[ \t]+)?$/.test(lead)) throw new UnfitText('shape', pathName(path))
  const indent = /^[ \t]*/.exec(lead)?.[0] ?? ''
  const lines = linesOf(step, value).map((line) => indent + line + eol)
  return spliced(text, lineStart, endOfLine(text, spot.end), lines.join(''))
}

type Insertion = Readonly<{
  document: Document.Parsed
  holder: Spot | undefined
  step: ConnectStep
  lines: readonly string[]
  name: string
}>

/** Adds lines below the last line of their parent, or below the parent's key if the parent is empty. */
function inserted(text: string, { document, holder: parent, step, lines, name }: Insertion): string {
  const eol = lineEndOf(text)
  const within: unknown = parent ? parent.value : document.contents
  const items = isMap(within) || isSeq(within) ? within.items : []
  const fits = typeof step === 'string' ? isMap(within) : isSeq(within)
  const isNothing = !within || (isScalar(within) && within.value === null)
  const isFlow = (isMap(within) || isSeq(within)) && within.flow === true
  if (!isNothing && !fits) throw new UnfitText('shape', name)
  if (isFlow && items.length > 0) throw new UnfitText('shape', name)
  if (items.length > 0 && !isFlow) {
    const [first, last] = [items[0], items.at(-1)]
    const start = startOf(first)
    const lead = text.slice(startOfLine(text, start), start)
    const indent = /^[ \t]*/.exec(lead)?.[0] ?? ''
    return withLines(text, endOfLine(text, endOf(last)), lines.map((line) => indent + line + eol).join(''), eol)
  }
  if (!parent) return withLines(text, text.length, lines.map((line) => line + eol).join(''), eol)
  if (parent.keyEnd === undefined) throw new UnfitText('shape', name)
  const keyIndent = /^[ \t]*/.exec(text.slice(startOfLine(text, parent.start)))?.[0] ?? ''
  const [from, to] = isFlow ? valueRange(text, parent) : [parent.keyEnd, parent.keyEnd]
  if (text.slice(from, to).includes('\n')) throw new UnfitText('shape', name)
  const bare = spliced(text, isFlow ? parent.keyEnd : from, to, '')
  const added = lines.map((line) => `${keyIndent}  ${line}${eol}`).join('')
  return withLines(bare, endOfLine(bare, parent.keyEnd), added, eol)
}

/** Inserts whole lines at `offset`, after a line ending if `offset` is not at the start of a line. */
function withLines(text: string, offset: number, lines: string, eol: string): string {
  if (offset > 0 && text[offset - 1] !== '\n') return `${text.slice(0, offset)}${eol}${lines}${text.slice(offset)}`
  return spliced(text, offset, offset, lines)
}

function startOf(item: unknown): number {
  if (isPair(item)) return (item.key as Node | null)?.range?.[0] ?? 0
  return (item as Node).range?.[0] ?? 0
}

function endOf(item: unknown): number {
  if (!isPair(item)) return (item as Node).range?.[1] ?? 0
  return ofPair(item, false)?.end ?? 0
}

const nested = (path: ConnectPath, value: PlainValue): PlainValue =>
  path.reduceRight<PlainValue>((inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]), value)

/** A key or an entry with its value, as lines; strings are quoted like in JSON. */
function linesOf(step: ConnectStep, value: PlainValue): readonly string[] {
  if (typeof step === 'string') return keyed(step, value)
  const lines = membersOf(value)
  return lines.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`))
}

function keyed(name: string, value: PlainValue): readonly string[] {
  const key = /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)
  if (Array.isArray(value) && value.length > 0)
    return [
      `${key}:`,
      ...value.flatMap((entry: PlainValue) => linesOf({ where: '', is: '' }, entry).map((line) => `  ${line}`)),
    ]
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0)
    return [`${key}:`, ...membersOf(value).map((line) => `  ${line}`)]
  return [`${key}: ${JSON.stringify(value)}`]
}

const membersOf = (value: PlainValue): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, inner]) => keyed(name, inner))
    : [JSON.stringify(value)]
