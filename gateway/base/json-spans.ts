import { type JsonBounds, type JsonScan, LARGE, othersTurn, scanInSlices, scanNow } from './json-scan.ts'
import { writeJson } from './json-write.ts'
import { type MaybePromise, whenKnown } from './maybe-promise.ts'

/** One member of a JSON object: where its key and its value stand in the bytes. */
type MemberSpan = Readonly<{ key: string; start: number; valueStart: number; valueEnd: number }>
/** The top level of a JSON object's bytes, and how deep the whole is nested. */
export type JsonSpans = Readonly<{ members: readonly MemberSpan[]; depth: number; end: number }>

/** The spans of bytes that have been walked over, and parsed since: they are one valid JSON object. */
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

/** The spans of bytes that the gateway itself has written, or has read before. */
export const spansOf = (bytes: Buffer): JsonSpans => spansIn(bytes, scanNow(bytes, UNBOUNDED))

/** The spans of bytes that the gateway has written, found in turns with others where they are large. */
export const spansInTurns = (bytes: Buffer): MaybePromise<JsonSpans> =>
  bytes.length <= LARGE ? spansOf(bytes) : scanInSlices(bytes, UNBOUNDED).then((scan) => spansIn(bytes, scan))

const UNBOUNDED: JsonBounds = { values: Infinity, names: Infinity, depth: Infinity }

/**
 * An object's bytes with some top-level members changed, put in, or (value `undefined`) left out; every other byte is
 * kept: key order, spacing, big numbers and fields this gateway has never heard of. A value that is a Buffer is JSON that has been written.
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

/** The bytes that `editObject` returns; where they are large the values are written in turns with others. */
export const editInTurns = (
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
  await othersTurn()
  return editObject(bytes, spans, written)
}

/** The bytes of an object that the gateway has written with members changed, in turns with others where they are large. */
export const withMembers = (bytes: Buffer, edits: ReadonlyMap<string, unknown>): MaybePromise<Buffer> =>
  edits.size === 0 ? bytes : whenKnown(spansInTurns(bytes), (spans) => editInTurns(bytes, spans, edits))

/** A name without escapes, as nearly all are, stands for itself. */
function keyAt(bytes: Buffer, start: number, end: number): string {
  const name = bytes.toString('utf8', start + 1, end - 1)
  // A valid JSON string parses to a string.
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}
