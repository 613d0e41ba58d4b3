import type { ConnectStep, PlainValue } from '../../../shared/connect/client.ts'

export type ConnectPath = readonly ConnectStep[]

/** A value in a text: what it is, and how it is written. */
type WrittenValue = Readonly<{ value: unknown; raw: string }>

/**
 * Reads and changes single values of a text, and leaves every other byte of it alone. Texts have no byte order mark. All but
 * `read` are given texts that `read` has taken; they throw `UnfitText` where a value cannot go.
 */
export type TextEditor = Readonly<{
  /** The whole text as plain values; throws `UnfitText` where it is broken. */
  read: (text: string) => unknown
  at: (text: string, path: ConnectPath) => WrittenValue | undefined
  /** Sets a value, and what stands around it on the way. */
  put: (text: string, path: ConnectPath, value: PlainValue) => string
  /** Puts back what stood in the place of a value that is there. */
  restore: (text: string, path: ConnectPath, raw: string) => string
  /** Takes a value out with its name, and the comma or line it came with. */
  remove: (text: string, path: ConnectPath) => string
}>

/** A text that cannot be read or changed; `detail` says where, in nobody's language. */
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
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

/** A path as a person would write it. */
export const pathName = (path: ConnectPath): string =>
  path.map((step) => (typeof step === 'string' ? step : `[${step.is}]`)).join('.')

/** The line end that a text uses. */
export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')

/** Where the line that holds `offset` ends, behind its line end; an offset at the beginning of a line is the end of the last. */
export function endOfLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}

/** Where the line that holds `offset` begins. */
export const startOfLine = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** A text with `[from, to)` in other words. */
export const spliced = (text: string, from: number, to: number, words: string): string =>
  text.slice(0, from) + words + text.slice(to)
