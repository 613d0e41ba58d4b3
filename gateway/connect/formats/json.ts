import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ConnectStep, PlainValue } from '../../../shared/connect/client.ts'
import {
  type ConnectPath,
  lineAndColumn,
  lineEndOf,
  pathName,
  spliced,
  startOfLine,
  type TextEditor,
  UnfitText,
} from './editor.ts'

/** Token kinds of the scanner, whose enum only exists for compilers. */
const token = { comma: 5, lineComment: 12, lineBreak: 14, space: 15, end: 17 } as const

/** JSON with comments and trailing commas. */
export const jsonEditor: TextEditor = {
  read: (text) => (isBlank(text) ? {} : getNodeValue(rootOf(text))),
  at(text, path) {
    const node = isBlank(text) ? undefined : found(rootOf(text), path)
    return node && { value: getNodeValue(node), raw: text.slice(node.offset, node.offset + node.length) }
  },
  put(text, path, value) {
    if (isBlank(text))
      return `${rendered(nested(path, value), { unit: '  ', indent: '', eol: lineEndOf(text) })}${lineEndOf(text)}`
    const root = rootOf(text)
    const node = found(root, path)
    const style = { unit: unitOf(text, root), eol: lineEndOf(text) }
    if (node) {
      const indent = indentAt(text, node.parent?.type === 'property' ? node.parent.offset : node.offset)
      return spliced(text, node.offset, node.offset + node.length, rendered(value, { ...style, indent }))
    }
    const depth = path.findIndex((_, at) => !found(root, path.slice(0, at + 1)))
    const parent = found(root, path.slice(0, depth))
    const step = path[depth]
    if (!parent || step === undefined || parent.type !== (typeof step === 'string' ? 'object' : 'array'))
      throw new UnfitText('shape', pathName(path.slice(0, depth)))
    const inner = nested(path.slice(depth + 1), value)
    return inserted(
      text,
      parent,
      (indent, unit) => {
        const words = rendered(inner, { ...style, unit, indent })
        return typeof step === 'string' ? `${JSON.stringify(step)}: ${words}` : words
      },
      style,
    )
  },
  restore(text, path, raw) {
    const node = found(rootOf(text), path)
    return node ? spliced(text, node.offset, node.offset + node.length, raw) : text
  },
  remove(text, path) {
    const node = found(rootOf(text), path)
    return node ? without(text, node.parent?.type === 'property' ? node.parent : node) : text
  },
}

type Style = Readonly<{ unit: string; indent: string; eol: string }>

const isBlank = (text: string): boolean => text.trim() === ''

function rootOf(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) throw new UnfitText('broken', `${lineAndColumn(text, error.offset)} ${printParseErrorCode(error.error)}`)
  if (root?.type !== 'object') throw new UnfitText('shape', '{}')
  return root
}

/** The node at a path; of duplicate members the last, as programs read them. */
function found(root: Node, path: ConnectPath): Node | undefined {
  let node: Node | undefined = root
  for (const step of path) node = node && childOf(node, step)
  return node
}

function childOf({ type, children = [] }: Node, step: ConnectStep): Node | undefined {
  if (typeof step !== 'string') return type === 'array' ? children.find((entry) => isEntry(entry, step)) : undefined
  if (type !== 'object') return undefined
  return children.findLast(({ children: [name] = [] }) => name?.value === step)?.children?.[1]
}

const isEntry = (entry: Node, { where, is }: Exclude<ConnectStep, string>) => childOf(entry, where)?.value === is

const nested = (path: ConnectPath, value: PlainValue): PlainValue =>
  path.reduceRight<PlainValue>((inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]), value)

const rendered = (value: PlainValue, { unit, indent, eol }: Style): string =>
  JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`)

function unitOf(text: string, root: Node): string {
  const [first] = root.children ?? []
  const indent = first && indentAt(text, first.offset)
  return indent || '  '
}

/** The whitespace before the first text of a line; empty if other text precedes `offset`. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(startOfLine(text, offset), offset)
  return /^[ \t]*$/.test(line) ? line : (/^[ \t]*/.exec(line)?.[0] ?? '')
}

/**
 * Describes the text between the last member and the closing bracket: whether it has a comma, where its last comma or
 * comment ends, and whether that is a line comment.
 */
function tailOf(text: string, from: number, to: number) {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  const tail = { end: from, hasComma: false, isLineComment: false }
  for (;;) {
    const kind: number = scanner.scan()
    const end = scanner.getTokenOffset() + scanner.getTokenLength()
    if (end > to || kind === token.end) return tail
    if (kind === token.space || kind === token.lineBreak) continue
    tail.end = end
    tail.hasComma ||= kind === token.comma
    tail.isLineComment = kind === token.lineComment
  }
}

/** Inserts a member or an entry last, after any comments. */
function inserted(
  text: string,
  parent: Node,
  words: (indent: string, unit: string) => string,
  { unit, eol }: Omit<Style, 'indent'>,
): string {
  const { children = [] } = parent
  const [first, last] = [children[0], children.at(-1)]
  const close = parent.offset + parent.length - 1
  if (!first || !last) {
    const { end } = tailOf(text, parent.offset + 1, close)
    const outer = indentAt(text, parent.parent?.type === 'property' ? parent.parent.offset : parent.offset)
    const goesOn = text.slice(end, close).includes('\n') ? '' : eol + outer
    return spliced(text, end, end, `${eol}${outer}${unit}${words(outer + unit, unit)}${goesOn}`)
  }
  const lastEnd = last.offset + last.length
  const { end, hasComma, isLineComment } = tailOf(text, lastEnd, close)
  const indent = indentAt(text, last.offset)
  const isTall = text.slice(parent.offset, first.offset).includes('\n') || isLineComment
  // A trailing comma after the last member is repeated after ours; otherwise the last member gets one, which is removed
  // with ours.
  const member = `${words(indent, isTall ? unit : '')}${hasComma ? ',' : ''}`
  const added = spliced(text, end, end, isTall ? eol + indent + member : ` ${member}`)
  return hasComma ? added : spliced(added, lastEnd, lastEnd, ',')
}

/** Removes a member or an entry, the whitespace before it and the superfluous comma. */
function without(text: string, node: Node): string {
  const { children = [], offset, length } = node.parent ?? node
  const close = offset + length - 1
  const index = children.indexOf(node)
  const [before, after] = [children[index - 1], children[index + 1]]
  const end = node.offset + node.length
  const start = text.slice(0, node.offset).trimEnd().length
  const comma = commaIn(text, end, after?.offset ?? close)
  // What follows must not end up in the comment of the previous line.
  const isCommented = text.slice(startOfLine(text, start), start).includes('//')
  const goesOn = !/^[ \t]*\r?\n/.test(text.slice(comma === undefined ? end : comma + 1))
  const from = isCommented && goesOn ? start + (/^\r?\n/.exec(text.slice(start))?.[0].length ?? 0) : start
  const taken =
    comma === undefined ? spliced(text, from, end, '') : spliced(spliced(text, comma, comma + 1, ''), from, end, '')
  if (after || comma !== undefined || !before) return taken
  const owed = commaIn(text, before.offset + before.length, node.offset)
  return owed === undefined ? taken : spliced(taken, owed, owed + 1, '')
}

function commaIn(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  for (let kind: number = scanner.scan(); kind !== token.end && scanner.getTokenOffset() < to; kind = scanner.scan())
    if (kind === token.comma) return scanner.getTokenOffset()
  return undefined
}
