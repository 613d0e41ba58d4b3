import { type GatewayError, refuse } from '../errors.ts'
import { yieldToOthers } from '../fair-yield.ts'
import { randomKey } from '../ids.ts'
import { typeOfName, UNKNOWN_TYPE } from './mime-type.ts'
import { percentDecoded } from './percent.ts'

/**
 * One part of a form. `fileName` is null for a text field; `type` is empty if the sender gave none.
 */
type FormPart = Readonly<{ name: string; fileName: string | null; type: string; bytes: Buffer }>

export type Form = readonly FormPart[]

const MAX_FIELDS = 64
const MAX_FILES = 32
const MAX_HEADERS = 16
const MAX_HEAD_LENGTH = 8192
/** Max bytes of all text fields together: prompts and settings, never files. */
const MAX_TEXT_LENGTH = 1024 * 1024
/** Allowed field names. With other characters, above all a backslash, readers disagree about where a name ends. */
const NAME = /^[\w.:[\]-]{1,200}$/

/** Returns whether a request body is a form (RFC 7578). */
export const isForm = (type: string | undefined): type is string => /^multipart\/form-data\s*;/i.test(type ?? '')

/**
 * Parses a multipart body (RFC 7578) strictly: rejects what another reader may parse differently, because the form is
 * forwarded to a vendor. The bytes of a part are a view of the body. Yields to the event loop in long parts. Throws
 * refusals if the form is truncated, malformed, too large, or repeats a text field.
 */
export async function readForm(bytes: Buffer, type: string): Promise<Form> {
  const boundary = boundaryIn(type)
  if (boundary === undefined) throw unreadable('the form has no boundary')
  const first = Buffer.from(`--${boundary}`)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const begin = bytes.subarray(0, LINE_END.length).equals(LINE_END) ? LINE_END.length : 0
  if (!bytes.subarray(begin, begin + first.length).equals(first))
    throw unreadable('the form does not begin with its boundary')
  const parts: FormPart[] = []
  let textLength = 0
  let at = begin + first.length
  while (!bytes.subarray(at, at + 2).equals(DASHES)) {
    if (!bytes.subarray(at, at + 2).equals(LINE_END)) throw unreadable('a boundary of the form is not a line')
    const headLength = bytes.subarray(at, at + MAX_HEAD_LENGTH + HEAD_END.length).indexOf(HEAD_END)
    const headEnd = at + headLength
    const end = headLength < 0 ? -1 : await indexInSteps(bytes, delimiter, headEnd + LINE_END.length)
    if (end < 0) throw unreadable('the form is cut off')
    const head = headIn(bytes.toString('utf8', at + 2, headEnd))
    const part = { ...head, bytes: bytes.subarray(headEnd + HEAD_END.length, end) }
    const isText = part.fileName === null
    if (isText) textLength += part.bytes.length
    const count = parts.filter(({ fileName }) => (fileName === null) === isText).length
    if (count === (isText ? MAX_FIELDS : MAX_FILES)) throw unreadable('the form has too many parts')
    if (textLength > MAX_TEXT_LENGTH) throw unreadable('the fields of the form are too long')
    checkName(parts, part)
    parts.push(part)
    at = end + delimiter.length
  }
  if (bytes.length - at - 2 > LINE_END.length || bytes.toString('latin1', at + 2).trim() !== '')
    throw unreadable('the form goes on behind its end')
  return parts
}

/** Bytes searched at once: Node's search for a short boundary takes up to 8 ms for them. */
const STEP = 1024 * 1024

/** Returns the first offset of `wanted` at or after `from`, or -1. Yields to the event loop between steps. */
async function indexInSteps(bytes: Buffer, wanted: Buffer, from: number): Promise<number> {
  for (let at = from; at < bytes.length; at += STEP) {
    if (at > from) await yieldToOthers()
    const found = bytes.subarray(at, at + STEP + wanted.length - 1).indexOf(wanted)
    if (found >= 0) return at + found
  }
  return -1
}

const DASHES = Buffer.from('--')
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** Returns the boundary of a content type: at most 70 characters, given exactly once. */
function boundaryIn(type: string): string | undefined {
  const [found, ...rest] = [...type.matchAll(/;\s*boundary=(?:"([^"\\\r\n]{1,70})"|([^\s;,"]{1,70}))(?=\s*(?:;|$))/gi)]
  return rest.length === 0 ? (found?.[1] ?? found?.[2]) : undefined
}

type PartHead = Omit<FormPart, 'bytes'>

/** Parses the headers of a part: its disposition and type; ignores others. */
function headIn(text: string): PartHead {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (!/^[\w-]{1,64}$/.test(name) || headers.has(name) || /[\r\n]/.test(line))
      throw unreadable('a part of the form has a header that is not valid')
    headers.set(name, line.slice(colon + 1).trim())
  }
  if (headers.size > MAX_HEADERS) throw unreadable('a part of the form has too many headers')
  if (!/^(7bit|8bit|binary|)$/i.test(headers.get('content-transfer-encoding') ?? ''))
    throw unreadable('a part of the form is encoded')
  const parameters = dispositionIn(headers.get('content-disposition') ?? '')
  const declared = headers.get('content-type') ?? ''
  const isFile = parameters.has('filename') || /^application\/octet-stream\b/i.test(declared)
  return {
    name: parameters.get('name') ?? '',
    fileName: isFile ? baseName(parameters.get('filename') ?? '') : null,
    type: validType(declared.split(';', 1)[0]?.trim() ?? ''),
  }
}

const PARAMETER = /;[ \t]*([\w-]{1,20}\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*/gy

/**
 * Returns the parameters of `form-data`, each given once; `filename` takes precedence over `filename*` (RFC 7578 §4.2).
 */
function dispositionIn(text: string): ReadonlyMap<string, string> {
  const [kind = ''] = /^form-data[ \t]*/i.exec(text) ?? []
  const found = new Map<string, string>()
  let end = kind.length
  for (const [all, name = '', quoted, token = ''] of text.slice(end).matchAll(PARAMETER)) {
    if (found.has(name.toLowerCase())) throw unreadable(BAD_NAME)
    found.set(name.toLowerCase(), quoted === undefined ? token : quoted.replace(/\\(["\\])/g, '$1'))
    end += all.length
  }
  if (kind === '' || end !== text.length) throw unreadable(BAD_NAME)
  const extended = /^utf-8'[\w-]*'(.+)$/i.exec(found.get('filename*') ?? '')?.[1]
  if (extended !== undefined && !found.has('filename')) found.set('filename', percentDecoded(extended))
  return found
}

/** Throws if readers could parse the name differently, or if the part duplicates another. */
function checkName(parts: Form, { name, fileName }: FormPart): void {
  if (!NAME.test(name)) throw unreadable(BAD_NAME)
  const isDuplicate = fileName === null ? isRepeated(parts, name) : parts.some((part) => conflictsWithText(part, name))
  if (isDuplicate) throw unreadable('a field appears twice')
}

const BAD_NAME = 'a field of the form has a name that is not valid'

const baseName = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

/**
 * A field that decides the model or the price must not appear twice; lists (`include[]`) may. Some readers treat
 * `model[]` as `model`, so a field must not appear next to its own list or members.
 */
const isRepeated = (parts: Form, name: string): boolean =>
  parts.some((part) =>
    part.name === name ? !name.endsWith('[]') : isWithin(part.name, name) || isWithin(name, part.name),
  )

const isWithin = (name: string, whole: string): boolean => name.startsWith(`${whole}[`)

/** Returns whether a file has the name of a text field, or of its list or member. Several files may share a name. */
const conflictsWithText = (part: FormPart, name: string): boolean =>
  part.fileName === null && (part.name === name || isWithin(part.name, name) || isWithin(name, part.name))

/** Returns a part's type; empty for plain text and invalid types. */
const validType = (type: string): string => (type !== 'text/plain' && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '')

const unreadable = (reason: string, cause?: unknown): GatewayError =>
  refuse('invalid', 'relay.badRequest', { reason }, { code: 'read_request_body_failed', cause })

/** Returns the text fields of a form by name, lists as arrays; for a file its file name as an object. */
export function textsOf(form: Form): Record<string, unknown> {
  const found = new Map<string, unknown[]>()
  for (const { name, fileName, bytes } of form) {
    const value = fileName === null ? bytes.toString('utf8') : { fileName }
    found.set(name, [...(found.get(name) ?? []), value])
  }
  return Object.fromEntries([...found].map(([name, items]) => [name, name.endsWith('[]') ? items : items[0]]))
}

export type WrittenForm = Readonly<{ bytes: Buffer; type: string }>

/**
 * Writes a form with some text fields changed, added at the beginning or (undefined or null) removed; other parts keep
 * their order, names, types and bytes. Image files are named `image`, or `image[]` if there are several
 * (docs/reference/channel-types.md#openai).
 */
export function writeForm(form: Form, edits: ReadonlyMap<string, unknown>): WrittenForm {
  const boundary = `form-${randomKey(32)}`
  const images = form.filter(isImage).length
  const added = [...edits].filter(([name]) => !form.some((part) => part.name === name)).flatMap(textPart)
  const existing = form.flatMap((part) => {
    if (part.fileName === null && edits.has(part.name)) return textPart([part.name, edits.get(part.name)])
    return [isImage(part) ? { ...part, name: images > 1 ? 'image[]' : 'image' } : part]
  })
  const pieces = [...added, ...existing].flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    part.bytes,
    LINE_END,
  ])
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

const isImage = ({ name, fileName }: FormPart): boolean => fileName !== null && /^image(\[\d*\])?$/.test(name)

function textPart([name, value]: readonly [string, unknown]): FormPart[] {
  if (value === undefined || value === null) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [{ name, fileName: null, type: '', bytes: Buffer.from(text) }]
}

function headOf({ name, fileName, type }: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"`
  if (fileName === null) return type === '' ? disposition : `${disposition}\r\nContent-Type: ${type}`
  return `${disposition}; filename="${quoted(fileName)}"\r\nContent-Type: ${typeOf(fileName, type)}`
}

/** Escapes like browsers (WHATWG HTML, "multipart form data"). */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Image vendors reject files without a type, which some clients leave out. */
function typeOf(fileName: string, type: string): string {
  if (type !== '' && type !== UNKNOWN_TYPE) return type
  const named = typeOfName(fileName)
  return named?.startsWith('image/') ? named : UNKNOWN_TYPE
}
