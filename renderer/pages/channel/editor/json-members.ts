import { parsed } from '../../../../shared/json.ts'
import { objectIn } from './json-rules.ts'

/** One member of an object as a person edits it; `raw` is what was there, which stays where the text does not change. */
export type Member = Readonly<{ name: string; text: string; raw?: unknown }>

/** What a value of a member may be: a text, or any JSON, where a text that is no JSON stands for itself. */
export type MemberKind = 'text' | 'json'

/**
 * The object in a text whose members can be edited one by one without losing anything; undefined where it is no object, or
 * where a number is too long to be read exactly. An empty text is an empty object.
 */
export function editableObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  return /\d{16}/.test(text) ? undefined : objectIn(text)
}

/** The members of a text, in its order; undefined where it cannot be edited by members. */
export function membersIn(text: string, kind: MemberKind): readonly Member[] | undefined {
  const object = editableObject(text)
  return object && Object.entries(object).map(([name, raw]) => ({ name, text: textOf(raw, kind), raw }))
}

/** The text for some members: those without a name are not written yet, and of two of the same name the later counts. */
export function textFor(members: readonly Member[], kind: MemberKind): string {
  const named = members.filter(({ name }) => name.trim() !== '')
  return written(Object.fromEntries(named.map((member) => [member.name.trim(), valueFor(member, kind)])))
}

/** The text with one member set, or without it for undefined; all others stay as they are. */
export function withMember(text: string, name: string, value: unknown): string {
  const { [name]: _before, ...others } = editableObject(text) ?? {}
  if (value === undefined) return written(others)
  // What was there keeps its place.
  return written({ ...editableObject(text), [name]: value })
}

const written = (object: Record<string, unknown>): string =>
  Object.keys(object).length === 0 ? '' : JSON.stringify(object, null, 2)

/** A text is shown bare where it cannot be taken for anything else. */
function textOf(value: unknown, kind: MemberKind): string {
  if (typeof value === 'string' && (kind === 'text' || parsed(value) === undefined)) return value
  return JSON.stringify(value)
}

function valueFor({ text, raw }: Member, kind: MemberKind): unknown {
  if (raw !== undefined && textOf(raw, kind) === text) return raw
  if (kind === 'text') return text.trim()
  const value = parsed(text)
  return value === undefined ? text : value
}
