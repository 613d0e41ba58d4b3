import { parsed } from '../../../../shared/json.ts'
import { objectIn } from './json-rules.ts'

/** An object's member being edited; `raw` is its original value, which is preserved while the text is unchanged. */
export type Member = Readonly<{ name: string; text: string; raw?: unknown }>

/** The value type of members: a text, or any JSON, where text that is not JSON is a string. */
export type MemberKind = 'text' | 'json'

/**
 * Parses a text whose members can be edited without loss; undefined if it is not an object, or has 16 digits in a row,
 * which may be a number too long to be exact. An empty text is an empty object.
 */
export function editableObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  return /\d{16}/.test(text) ? undefined : objectIn(text)
}

/** A text's members in order; undefined if it cannot be edited by member. */
export function membersIn(text: string, kind: MemberKind): readonly Member[] | undefined {
  const object = editableObject(text)
  return object && Object.entries(object).map(([name, raw]) => ({ name, text: textOf(raw, kind), raw }))
}

/** Serializes members; those without a name are omitted, and the last of equal names wins. */
export function textFor(members: readonly Member[], kind: MemberKind): string {
  const named = members.filter(({ name }) => name.trim() !== '')
  return serialize(Object.fromEntries(named.map((member) => [member.name.trim(), valueFor(member, kind)])))
}

/** Sets a member, or removes it if undefined; all others stay unchanged. */
export function withMember(text: string, name: string, value: unknown): string {
  const { [name]: _before, ...others } = editableObject(text) ?? {}
  if (value === undefined) return serialize(others)
  // An existing member keeps its position.
  return serialize({ ...editableObject(text), [name]: value })
}

const serialize = (object: Record<string, unknown>): string =>
  Object.keys(object).length === 0 ? '' : JSON.stringify(object, null, 2)

/** A member's value for editing: strings are shown without quotes if unambiguous. */
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
