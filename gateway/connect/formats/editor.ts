import type { ConnectStep, PlainValue } from '../../../shared/connect/client.ts'

export type ConnectPath = readonly ConnectStep[]

type WrittenValue = Readonly<{ value: unknown; raw: string }>

/**
 * Reads and changes single values of a text, and leaves every other byte unchanged. Texts have no byte order mark. All
 * methods but `read` need a text that `read` accepts; they throw `UnfitText` if a value cannot be placed.
 */
export type TextEditor = Readonly<{
  /** The whole text as plain values; throws `UnfitText` if it is invalid. */
  read: (text: string) => unknown
  at: (text: string, path: ConnectPath) => WrittenValue | undefined
  /** Sets a value, creating parent keys as needed. */
  put: (text: string, path: ConnectPath, value: PlainValue) => string
  /** Restores the original text of an existing value. */
  restore: (text: string, path: ConnectPath, raw: string) => string
  /** Removes a value with its name and its comma or line. */
  remove: (text: string, path: ConnectPath) => string
}>

/**
 * Thrown for a text that cannot be read or changed. `detail` is not translated: the position and the parser's error if
 * `why` is `broken`, the path or the construct if it is `shape`.
 */
export class UnfitText extends Error {
  override readonly name = 'UnfitText'
  readonly why: 'broken' | 'shape'
  readonly detail: string
  constructor(why: UnfitText['why'], detail: string) {
    super(`${why}: ${detail}`)
    this.why = why
    this.detail = detail
  }
}

/** Line and column of an offset, both from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

export const pathName = (path: ConnectPath): string =>
  path.map((step) => (typeof step === 'string' ? step : `[${step.is}]`)).join('.')

export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')

/**
 * The end of the line that contains `offset`, after its line ending; an offset at the start of a line is the end of the
 * previous one.
 */
export function endOfLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}

export const startOfLine = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

export const spliced = (text: string, from: number, to: number, words: string): string =>
  text.slice(0, from) + words + text.slice(to)
