import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { ConnectFormat, ConnectSetting, ConnectStep, PlainValue } from '../../shared/connect/client.ts'
import { type ConnectPath, pathName, type TextEditor, UnfitText } from './formats/editor.ts'
import { envEditor } from './formats/env.ts'
import { jsonEditor } from './formats/json.ts'
import { tomlEditor } from './formats/toml.ts'
import { yamlEditor } from './formats/yaml.ts'

const editors: Readonly<Record<ConnectFormat, TextEditor>> = {
  json: jsonEditor,
  toml: tomlEditor,
  yaml: yamlEditor,
  env: envEditor,
}

const step = z.union([z.string(), z.object({ where: z.string(), is: z.string() })])

/** One value that was set: the new value, the previous one with its original text, and how much of its path existed. */
export const connectChange = z.object({
  path: z.array(step),
  value: z.json(),
  was: z.json().optional(),
  before: z.string().nullable(),
  depth: z.number().int(),
})
export type ConnectChange = Readonly<z.output<typeof connectChange>>

type EditedText = Readonly<{ text: string; changes: readonly ConnectChange[] }>

/**
 * Puts settings into a text. Values that are set already stay unchanged, and so does every other byte. Throws
 * `UnfitText` if the text cannot be parsed, a value cannot be placed, or the result is not exactly the text with these
 * values.
 */
export function withSettings(format: ConnectFormat, text: string, settings: readonly ConnectSetting[]): EditedText {
  const editor = editors[format]
  let edited = text
  const changes: ConnectChange[] = []
  const before = editor.read(text)
  for (const { path, value } of settings) {
    const current = editor.at(edited, path)
    if (current && isSameValue(current.value, value)) continue
    const depth = path.findIndex((_, at) => !isThere(editor.read(edited), path.slice(0, at + 1)))
    changes.push({
      path: [...path],
      value: value as ConnectChange['value'],
      ...(current ? { was: current.value as ConnectChange['value'] } : {}),
      before: current?.raw ?? null,
      depth: depth === -1 ? path.length : depth,
    })
    edited = unbroken(path, () => {
      const next = editor.put(edited, path, value)
      editor.read(next)
      return next
    })
  }
  prove(
    editor,
    edited,
    settings.reduce((root, { path, value }) => withValue(root, path, value), before),
  )
  return { text: edited, changes }
}

/** Reports an edit that breaks a valid text as a value that cannot be placed. */
function unbroken(path: ConnectPath, work: () => string): string {
  try {
    return work()
  } catch (error) {
    throw error instanceof UnfitText && error.why === 'broken' ? new UnfitText('shape', pathName(path)) : error
  }
}

/** `kept` is the number of changes that someone else has overwritten; these stay. */
type TextWithout = Readonly<{ text: string; kept: number }>

/**
 * Reverts changes, the last first: restores previous values, and removes new ones with the parents created for them, if
 * empty. Values changed by someone else since stay.
 */
export function withoutChanges(format: ConnectFormat, text: string, changes: readonly ConnectChange[]): TextWithout {
  const editor = editors[format]
  let edited = text
  let kept = 0
  let expected = editor.read(text)
  for (const { path, value, before, depth } of changes.toReversed()) {
    const current = editor.at(edited, path)
    if (!current) continue
    if (!isSameValue(current.value, value)) {
      kept += 1
      continue
    }
    if (before !== null) {
      edited = editor.restore(edited, path, before)
      expected = withValue(expected, path, editor.at(edited, path)?.value as PlainValue)
      continue
    }
    edited = editor.remove(edited, path)
    expected = withoutValue(expected, path)
    for (let length = path.length - 1; length > depth; length -= 1) {
      const around = path.slice(0, length)
      if (!isEmpty(valueAt(expected, around))) break
      edited = editor.remove(edited, around)
      expected = withoutValue(expected, around)
    }
  }
  prove(editor, edited, expected)
  return { text: edited, kept }
}

/** Throws if a text does not parse to the expected value. */
function prove(editor: TextEditor, text: string, expected: unknown): void {
  if (!isSameValue(editor.read(text), expected)) throw new UnfitText('shape', '')
}

/** Whether a text has one of these settings, with its value. */
export const hasAny = (format: ConnectFormat, text: string, settings: readonly ConnectSetting[]): boolean =>
  settings.some(({ path, value }) => isSameValue(editors[format].at(text, path)?.value, value))

export const isSamePath = (one: ConnectPath, other: ConnectPath): boolean => isDeepStrictEqual(one, other)

/** Whether two plain values are equal, regardless of their parsers. */
export const isSameValue = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other))

/** Objects of some parsers have no prototype. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value ?? null) ?? 'null')

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown): boolean =>
  (isMembers(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0)

const indexIn = (list: readonly unknown[], { where, is }: Exclude<ConnectStep, string>): number =>
  list.findIndex((entry) => isMembers(entry) && entry[where] === is)

function valueAt(root: unknown, path: ConnectPath): unknown {
  return path.reduce<unknown>((value, one) => {
    if (typeof one !== 'string') return Array.isArray(value) ? value[indexIn(value, one)] : undefined
    return isMembers(value) && Object.hasOwn(value, one) ? value[one] : undefined
  }, root)
}

const isThere = (root: unknown, path: ConnectPath): boolean => valueAt(root, path) !== undefined

function withValue(root: unknown, [first, ...rest]: ConnectPath, value: PlainValue): unknown {
  if (first === undefined) return value
  if (typeof first !== 'string') {
    const list: readonly unknown[] = Array.isArray(root) ? root : []
    const index = indexIn(list, first)
    const entry = withValue(list[index], rest, value)
    return index === -1 ? [...list, entry] : list.with(index, entry)
  }
  const members = isMembers(root) ? root : {}
  return { ...members, [first]: withValue(Object.hasOwn(members, first) ? members[first] : undefined, rest, value) }
}

function withoutValue(root: unknown, [first, ...rest]: ConnectPath): unknown {
  if (first === undefined) return undefined
  if (typeof first !== 'string') {
    if (!Array.isArray(root)) return root
    const index = indexIn(root, first)
    if (rest.length === 0) return root.filter((_, at) => at !== index)
    return index === -1 ? root : root.with(index, withoutValue(root[index], rest))
  }
  if (!isMembers(root) || !Object.hasOwn(root, first)) return root
  const { [first]: inner, ...remaining } = root
  return rest.length === 0 ? remaining : { ...root, [first]: withoutValue(inner, rest) }
}
