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

/**
 * One value that was set: what it is, what stood there before and how that was written, and how much of its path was there.
 */
export const connectChange = z.object({
  path: z.array(step),
  value: z.json(),
  was: z.json().optional(),
  before: z.string().nullable(),
  depth: z.number().int(),
})
export type ConnectChange = Readonly<z.output<typeof connectChange>>

/** A text with settings in it, and what was set. */
type EditedText = Readonly<{ text: string; changes: readonly ConnectChange[] }>

/**
 * Puts settings into a text. What is there already is left as it is written; every other byte stays. Throws `UnfitText` for a
 * text that cannot be read, where a value cannot go, and where what came of it is not just the text with these values.
 */
export function withSettings(format: ConnectFormat, text: string, settings: readonly ConnectSetting[]): EditedText {
  const editor = editors[format]
  let edited = text
  const changes: ConnectChange[] = []
  const before = editor.read(text)
  for (const { path, value } of settings) {
    const held = editor.at(edited, path)
    if (held && isSameValue(held.value, value)) continue
    const depth = path.findIndex((_, at) => !isThere(editor.read(edited), path.slice(0, at + 1)))
    changes.push({
      path: [...path],
      value: value as ConnectChange['value'],
      ...(held ? { was: held.value as ConnectChange['value'] } : {}),
      before: held?.raw ?? null,
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
    settings.reduce((whole, { path, value }) => withValue(whole, path, value), before),
  )
  return { text: edited, changes }
}

/** A text that was good and is not any more has no place for the value. */
function unbroken(path: ConnectPath, work: () => string): string {
  try {
    return work()
  } catch (error) {
    throw error instanceof UnfitText && error.why === 'broken' ? new UnfitText('shape', pathName(path)) : error
  }
}

/** What became of taking changes back: the text, and how many had been changed by somebody else and stay. */
type TextWithout = Readonly<{ text: string; kept: number }>

/**
 * Takes changes back, the last first: what stood there before returns, what stood nowhere goes, with what was made around it as
 * far as that is empty. What has another value by now is somebody else's, and stays.
 */
export function withoutChanges(format: ConnectFormat, text: string, changes: readonly ConnectChange[]): TextWithout {
  const editor = editors[format]
  let edited = text
  let kept = 0
  let expected = editor.read(text)
  for (const { path, value, before, depth } of changes.toReversed()) {
    const held = editor.at(edited, path)
    if (!held) continue
    if (!isSameValue(held.value, value)) {
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

/** Throws for a text that says anything else than is expected of it. */
function prove(editor: TextEditor, text: string, expected: unknown): void {
  if (!isSameValue(editor.read(text), expected)) throw new UnfitText('shape', '')
}

/** Whether a text has one of these settings, with its value. */
export const hasAny = (format: ConnectFormat, text: string, settings: readonly ConnectSetting[]): boolean =>
  settings.some(({ path, value }) => isSameValue(editors[format].at(text, path)?.value, value))

/** Whether two paths lead to the same value. */
export const isSamePath = (one: ConnectPath, other: ConnectPath): boolean => isDeepStrictEqual(one, other)

/** Whether two plain values are equal, whatever their parsers made them of. */
export const isSameValue = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other))

/** Objects of some parsers have no prototype. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value ?? null) ?? 'null')

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmpty = (value: unknown): boolean =>
  (isMembers(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0)

const placeIn = (list: readonly unknown[], { where, is }: Exclude<ConnectStep, string>): number =>
  list.findIndex((entry) => isMembers(entry) && entry[where] === is)

function valueAt(whole: unknown, path: ConnectPath): unknown {
  return path.reduce<unknown>((value, one) => {
    if (typeof one !== 'string') return Array.isArray(value) ? value[placeIn(value, one)] : undefined
    return isMembers(value) && Object.hasOwn(value, one) ? value[one] : undefined
  }, whole)
}

const isThere = (whole: unknown, path: ConnectPath): boolean => valueAt(whole, path) !== undefined

function withValue(whole: unknown, [first, ...rest]: ConnectPath, value: PlainValue): unknown {
  if (first === undefined) return value
  if (typeof first !== 'string') {
    const list: readonly unknown[] = Array.isArray(whole) ? whole : []
    const place = placeIn(list, first)
    const entry = withValue(list[place], rest, value)
    return place === -1 ? [...list, entry] : list.with(place, entry)
  }
  const members = isMembers(whole) ? whole : {}
  return { ...members, [first]: withValue(Object.hasOwn(members, first) ? members[first] : undefined, rest, value) }
}

function withoutValue(whole: unknown, [first, ...rest]: ConnectPath): unknown {
  if (first === undefined) return undefined
  if (typeof first !== 'string') {
    if (!Array.isArray(whole)) return whole
    const place = placeIn(whole, first)
    if (rest.length === 0) return whole.filter((_, at) => at !== place)
    return place === -1 ? whole : whole.with(place, withoutValue(whole[place], rest))
  }
  if (!isMembers(whole) || !Object.hasOwn(whole, first)) return whole
  const { [first]: inner, ...others } = whole
  return rest.length === 0 ? others : { ...whole, [first]: withoutValue(inner, rest) }
}
