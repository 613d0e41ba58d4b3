import { type GatewayError, refuse } from './errors.ts'
import { randomKey } from './ids.ts'
import { typeOfName, UNKNOWN_TYPE } from './mime-type.ts'
import { percentDecoded } from './percent.ts'

/** One part of a form, in the order it came. A file has a name of its own; `type` is empty where the sender gave none. */
type FormPart = Readonly<{ name: string; fileName: string | null; type: string; bytes: Buffer }>

export type Form = readonly FormPart[]

const MAX_FIELDS = 64
const MAX_FILES = 32
const MAX_HEADERS = 16
const MAX_HEAD_LENGTH = 8192
/** The texts of a form together, in bytes: prompts and settings, never a file. */
const MAX_TEXT_LENGTH = 1024 * 1024
/** What fields are called. Other characters, a backslash above all, end a name at one reader and not at another. */
const NAME = /^[\w.:[\]-]{1,200}$/

/** Whether a request's body is a form (RFC 7578). */
export const isForm = (type: string | undefined): type is string => /^multipart\/form-data\s*;/i.test(type ?? '')

/**
 * Reads a multipart body (RFC 7578). Strictly: what another reader may read in another way is refused, since the form goes on
 * to a vendor. The bytes of a part are a view of the body. Throws refusals for what is cut, malformed, or has too much in
 * it, and for a text given twice.
 */
export function readForm(bytes: Buffer, type: string): Form {
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
    const headEnd = bytes.indexOf(HEAD_END, at)
    const end = headEnd < 0 ? -1 : bytes.indexOf(delimiter, headEnd + LINE_END.length)
    if (end < 0 || headEnd - at > MAX_HEAD_LENGTH) throw unreadable('the form is cut off')
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

const DASHES = Buffer.from('--')
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** The boundary of a content type, which has at most 70 characters and says it once. */
function boundaryIn(type: string): string | undefined {
  const [found, ...others] = [
    ...type.matchAll(/;\s*boundary=(?:"([^"\\\r\n]{1,70})"|([^\s;,"]{1,70}))(?=\s*(?:;|$))/gi),
  ]
  return others.length === 0 ? (found?.[1] ?? found?.[2]) : undefined
}

type PartHead = Omit<FormPart, 'bytes'>

/** The lines above a part: its disposition, its type, and others that say nothing here. */
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
  const said = headers.get('content-type') ?? ''
  const isFile = parameters.has('filename') || /^application\/octet-stream\b/i.test(said)
  return {
    name: parameters.get('name') ?? '',
    fileName: isFile ? lastOf(parameters.get('filename') ?? '') : null,
    type: saidType(said.split(';', 1)[0]?.trim() ?? ''),
  }
}

const PARAMETER = /;[ \t]*([\w-]{1,20}\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*/gy

/** The parameters of `form-data`, each given once; of a file's two names the plain one counts (RFC 7578 §4.2). */
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

/** Refuses a name that readers read differently, and a part that is there already. */
function checkName(parts: Form, { name, fileName }: FormPart): void {
  if (!NAME.test(name)) throw unreadable(BAD_NAME)
  const isTwice = fileName === null ? isRepeated(parts, name) : parts.some((part) => isOther(part, name))
  if (isTwice) throw unreadable('a field appears twice')
}

const BAD_NAME = 'a field of the form has a name that is not valid'

/** A file's own name, without the folders before it. */
const lastOf = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

/**
 * What decides the model or the price must not be said twice; lists (`include[]`) may. Some readers take `model[]` for `model`
 * as well, so a field does not stand beside its own list or members.
 */
const isRepeated = (parts: Form, name: string): boolean =>
  parts.some((part) =>
    part.name === name ? !name.endsWith('[]') : isWithin(part.name, name) || isWithin(name, part.name),
  )

const isWithin = (name: string, whole: string): boolean => name.startsWith(`${whole}[`)

/** Whether a file's name is that of a text, or of its list or member. Files of one name, and their list, may be several. */
const isOther = (part: FormPart, name: string): boolean =>
  part.fileName === null && (part.name === name || isWithin(part.name, name) || isWithin(name, part.name))

/** A part's type; empty for plain text and what is no type. */
const saidType = (type: string): string => (type !== 'text/plain' && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '')

const unreadable = (reason: string, cause?: unknown): GatewayError =>
  refuse('invalid', 'relay.badRequest', { reason }, { code: 'read_request_body_failed', cause })

/** The texts of a form by name, lists as such; in place of a file stands what it is called, which is no text. */
export function textsOf(form: Form): Record<string, unknown> {
  const found = new Map<string, unknown[]>()
  for (const { name, fileName, bytes } of form) {
    const value = fileName === null ? bytes.toString('utf8') : { fileName }
    found.set(name, [...(found.get(name) ?? []), value])
  }
  return Object.fromEntries([...found].map(([name, items]) => [name, name.endsWith('[]') ? items : items[0]]))
}

/** A form as it goes out: the bytes, and the content type that says where its parts end. */
export type WrittenForm = Readonly<{ bytes: Buffer; type: string }>

/**
 * Writes a form with some of its texts changed, put in first or (undefined or null) left out; all other parts keep
 * their order, names, types and bytes. Images of one request are `image`, or `image[]` where there are several
 * (docs/reference/channel-types.md#openai).
 */
export function writeForm(form: Form, edits: ReadonlyMap<string, unknown>): WrittenForm {
  const boundary = `form-${randomKey(32)}`
  const images = form.filter(isImage).length
  const added = [...edits].filter(([name]) => !form.some((part) => part.name === name)).flatMap(textPart)
  const kept = form.flatMap((part) => {
    if (part.fileName === null && edits.has(part.name)) return textPart([part.name, edits.get(part.name)])
    return [isImage(part) ? { ...part, name: images > 1 ? 'image[]' : 'image' } : part]
  })
  const pieces = [...added, ...kept].flatMap((part) => [
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

/** As browsers write it (WHATWG HTML, "multipart form data"). */
const quoted = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Image vendors refuse files without a type, which some clients leave out. */
function typeOf(fileName: string, type: string): string {
  if (type !== '' && type !== UNKNOWN_TYPE) return type
  const named = typeOfName(fileName)
  return named?.startsWith('image/') ? named : UNKNOWN_TYPE
}
