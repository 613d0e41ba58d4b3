import { isObject, type JsonObject, parsed } from '../../../../shared/json.ts'

/** A member of a JSON object by its path, on both sides; undefined if absent. */
export type MemberChange = Readonly<{ path: readonly string[]; before: string | undefined; after: string | undefined }>

/**
 * The difference between two values of a setting: the values, members of an object, or entries of a list or lines of
 * a text; `isReordered` if only their order differs.
 */
export type Difference =
  | Readonly<{ kind: 'value'; before: string; after: string }>
  | Readonly<{ kind: 'members'; members: readonly MemberChange[] }>
  | Readonly<{ kind: 'entries'; removed: readonly string[]; added: readonly string[]; isReordered: boolean }>

/** Compares two texts of a setting; `isJson` parses them as JSON, `separator` splits a text into entries. */
export function differenceOf(
  before: string,
  after: string,
  { isJson, separator = '\n' }: Readonly<{ isJson: boolean; separator?: string }>,
): Difference {
  if (!isJson)
    return before.includes(separator) || after.includes(separator)
      ? ofTexts(before, after, separator)
      : valueDifference(before, after)
  const [one, other] = [parsed(before), parsed(after)]
  if (isObject(one) && isObject(other)) return { kind: 'members', members: membersOf(one, other, []) }
  if (Array.isArray(one) && Array.isArray(other)) return ofLists(one.map(textOf), other.map(textOf))
  return valueDifference(before, after)
}

const valueDifference = (before: string, after: string): Difference => ({ kind: 'value', before, after })

const ofTexts = (before: string, after: string, separator: string) =>
  ofLists(entriesOf(before, separator), entriesOf(after, separator))

const entriesOf = (text: string, separator: string) => (text === '' ? [] : text.split(separator))

/** Members that only one object has or that differ; recurses into objects. */
function membersOf(before: JsonObject, after: JsonObject, path: readonly string[]): MemberChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const [one, other] = [ownOf(before, name), ownOf(after, name)]
    const here = [...path, name]
    if (isObject(one) && isObject(other)) return membersOf(one, other, here)
    const change = { path: here, before: maybeText(one), after: maybeText(other) }
    return change.before === change.after ? [] : [change]
  })
}

const ownOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

/** Compares lists as multisets. */
function ofLists(before: readonly string[], after: readonly string[]): Difference {
  const removed = without(before, after)
  const added = without(after, before)
  return { kind: 'entries', removed, added, isReordered: removed.length === 0 && added.length === 0 }
}

function without(entries: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1)
  return entries.filter((one) => {
    const n = left.get(one) ?? 0
    left.set(one, n - 1)
    return n <= 0
  })
}

const maybeText = (value: unknown): string | undefined => (value === undefined ? undefined : textOf(value))

/** A JSON value for display: strings without quotes, unless they could be mistaken for another value. */
const textOf = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' && parsed(value) === undefined ? value : JSON.stringify(value)
