import { yieldToOthers } from '../fair-yield.ts'
import { type MaybePromise, whenKnown } from '../maybe-promise.ts'
import type { JsonObject } from './json.ts'
import { type JsonBounds, type JsonScan, LARGE, LONG, scanInSlices, scanNow } from './json-scan.ts'
import { writeJson } from './json-write.ts'

type MemberSpan = Readonly<{ key: string; start: number; valueStart: number; valueEnd: number }>
/** The top-level members of a JSON object, and its nesting depth. */
export type JsonSpans = Readonly<{ members: readonly MemberSpan[]; depth: number; end: number }>

/** Returns the spans of bytes that were scanned and then parsed, and so are a valid JSON object. */
export function spansIn(bytes: Buffer, { marks, depth, end }: JsonScan): JsonSpans {
  const members: MemberSpan[] = []
  for (let at = 0; at < marks.length; at += 4) {
    const start = marks[at] ?? 0
    const keyEnd = marks[at + 1] ?? 0
    const valueStart = marks[at + 2] ?? 0
    const valueEnd = marks[at + 3] ?? 0
    members.push({ key: keyAt(bytes, start, keyEnd + 1), start, valueStart, valueEnd })
  }
  return { members, depth, end }
}

/** Returns the spans of bytes that the gateway wrote itself, or has read before. */
export const spansOf = (bytes: Buffer): JsonSpans => spansIn(bytes, scanNow(bytes, UNBOUNDED))

/** Returns the spans of bytes that the gateway wrote; yields to the event loop if they are large. */
export const spansYielding = (bytes: Buffer): MaybePromise<JsonSpans> =>
  bytes.length <= LARGE ? spansOf(bytes) : scanInSlices(bytes, UNBOUNDED).then((scan) => spansIn(bytes, scan))

const UNBOUNDED: JsonBounds = { values: Infinity, names: Infinity, depth: Infinity }

/**
 * Returns an object's bytes with some top-level members changed, added or (value `undefined`) removed. All other bytes
 * stay: key order, whitespace, large numbers and unknown fields. A Buffer value is inserted as JSON that is already
 * written.
 */
export function editObject(bytes: Buffer, spans: JsonSpans, edits: ReadonlyMap<string, unknown>): Buffer {
  const { members, end } = spans
  const pieces: Buffer[] = [bytes.subarray(0, members[0]?.start ?? end)]
  const missing = new Map(edits)
  let first = true
  for (const [index, member] of members.entries()) {
    missing.delete(member.key)
    const edited = edits.has(member.key)
    if (edited && edits.get(member.key) === undefined) continue
    if (!first) pieces.push(bytes.subarray(members[index - 1]?.valueEnd ?? 0, member.start))
    first = false
    if (edited) pieces.push(bytes.subarray(member.start, member.valueStart), bytesOf(edits.get(member.key)))
    else pieces.push(bytes.subarray(member.start, member.valueEnd))
  }
  for (const [key, value] of missing) {
    if (value === undefined) continue
    pieces.push(Buffer.from(`${first ? '' : ','}${JSON.stringify(key)}:`), bytesOf(value))
    first = false
  }
  pieces.push(bytes.subarray(members.at(-1)?.valueEnd ?? end))
  return Buffer.concat(pieces)
}

const bytesOf = (value: unknown): Buffer => (value instanceof Buffer ? value : Buffer.from(JSON.stringify(value)))

/** Like `editObject`; writes the values in steps that yield to the event loop if the bytes are large. */
export const editYielding = (
  bytes: Buffer,
  spans: JsonSpans,
  edits: ReadonlyMap<string, unknown>,
): MaybePromise<Buffer> => (bytes.length <= LARGE ? editObject(bytes, spans, edits) : editSlowly(bytes, spans, edits))

async function editSlowly(bytes: Buffer, spans: JsonSpans, edits: ReadonlyMap<string, unknown>): Promise<Buffer> {
  const written = new Map<string, unknown>()
  for (const [key, value] of edits) {
    const mayBeLong = (typeof value === 'object' || typeof value === 'string') && !(value instanceof Buffer)
    written.set(key, mayBeLong ? await writeJson(value, true) : value)
  }
  await yieldToOthers()
  return editObject(bytes, spans, written)
}

export const withMembers = (bytes: Buffer, edits: ReadonlyMap<string, unknown>): MaybePromise<Buffer> =>
  edits.size === 0 ? bytes : whenKnown(spansYielding(bytes), (spans) => editYielding(bytes, spans, edits))

/** Nearly all names have no escapes and need no parsing. */
function keyAt(bytes: Buffer, start: number, end: number): string {
  const name = bytes.toString('utf8', start + 1, end - 1)
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}

/** Bounds of an object of which only short members are parsed. */
const shortMemberBounds: JsonBounds = { values: Infinity, names: Infinity, depth: Infinity, members: 100 }

/**
 * Returns the short members of an object of any size; yields to the event loop. Undefined if it is not an object or has
 * too many members.
 */
export async function shortMembersOf(bytes: Buffer): Promise<JsonObject | undefined> {
  return shortMembers(bytes, await scanInSlices(bytes, shortMemberBounds))
}

/**
 * Like `shortMembersOf`, synchronously, for texts of bounded length; includes the short members of a long object named
 * `within`.
 */
export const shortMembersNow = (bytes: Buffer, within?: string): JsonObject | undefined =>
  shortMembers(bytes, scanNow(bytes, shortMemberBounds), within)

function shortMembers(bytes: Buffer, scan: JsonScan, within?: string): JsonObject | undefined {
  if (scan.excess !== null) return undefined
  try {
    const members = spansIn(bytes, scan).members.flatMap(({ key, valueStart, valueEnd }) => {
      const value = bytes.subarray(valueStart, valueEnd)
      if (value.length <= LONG) return [[key, JSON.parse(value.toString())]]
      const inner = key === within ? shortMembersNow(value) : undefined
      return inner ? [[key, inner]] : []
    })
    return Object.fromEntries(members)
  } catch {
    return undefined
  }
}
