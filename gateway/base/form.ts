import { Busboy } from '@fastify/busboy'
import { type GatewayError, refuse } from './errors.ts'
import { randomKey } from './ids.ts'
import { othersTurn } from './json-scan.ts'
import { typeOfName, UNKNOWN_TYPE } from './mime-type.ts'

/** One part of a form, in the order it came. A file has a name of its own; `type` is empty where the sender gave none. */
type FormPart = Readonly<{ name: string; fileName: string | null; type: string; bytes: Buffer }>

export type Form = readonly FormPart[]

const MAX_FIELDS = 64
const MAX_FILES = 32
const MAX_HEADERS = 16
/** The texts of a form together, in bytes: prompts and settings, never a file. */
const MAX_TEXT_LENGTH = 1024 * 1024
/** What fields are called. Other characters, a backslash above all, end a name at one reader and not at another. */
const NAME = /^[\w.:[\]-]{1,200}$/
/** Bytes read before others have their turn. */
const A_TURN = 1024 * 1024

/** Whether a request's body is a form (RFC 7578). */
export const isForm = (type: string | undefined): type is string => /^multipart\/form-data\s*;/i.test(type ?? '')

/** Reads a multipart body; throws refusals for one that is cut, malformed or has too many parts, and for a text given twice. */
export function readForm(bytes: Buffer, type: string): Promise<Form> {
  return new Promise((resolve, reject) => {
    const parts: FormPart[] = []
    let textLength = 0
    const fail = (cause: unknown) => reject(unreadable('the form could not be read', cause))
    const reader = readerFor(type, fail)
    if (!reader) return
    reader.on('field', (name, value, isNameCut, isValueCut, _encoding, partType) => {
      const bytes = Buffer.from(value)
      textLength += bytes.length
      if (isNameCut || isValueCut || textLength > MAX_TEXT_LENGTH) return reject(unreadable(TOO_LONG))
      if (!NAME.test(name ?? '')) return reject(unreadable(BAD_NAME))
      if (isRepeated(parts, name)) return reject(unreadable(TWICE))
      parts.push({ name, fileName: null, type: saidType(partType), bytes })
    })
    reader.on('file', (name, stream, fileName, _encoding, partType) => {
      if (!NAME.test(name ?? '')) return reject(unreadable(BAD_NAME))
      if (parts.some((part) => part.fileName === null && part.name === name)) return reject(unreadable(TWICE))
      const part = { name: name ?? '', fileName: lastOf(fileName ?? ''), type: saidType(partType), bytes: NOTHING }
      const place = parts.push(part) - 1
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        parts[place] = { ...part, bytes: Buffer.concat(chunks) }
      })
      stream.on('error', fail)
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      reader.on(limit, () => reject(unreadable('the form has too many parts')))
    reader.on('error', fail)
    reader.on('finish', () => resolve(parts))
    void feed(reader, bytes).catch(fail)
  })
}

async function feed(reader: NonNullable<ReturnType<typeof readerFor>>, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !reader.destroyed; at += A_TURN) {
    reader.write(bytes.subarray(at, at + A_TURN))
    if (bytes.length > A_TURN) await othersTurn()
  }
  reader.end()
}

function readerFor(type: string, fail: (cause: unknown) => void) {
  const limits = { fields: MAX_FIELDS, files: MAX_FILES, fieldSize: MAX_TEXT_LENGTH, headerPairs: MAX_HEADERS }
  try {
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch (cause) {
    return void fail(cause)
  }
}

const NOTHING = Buffer.alloc(0)
const TWICE = 'a field appears twice'
const TOO_LONG = 'the fields of the form are too long'
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

/** A part's type; the parser says `text/plain` where the sender said nothing. */
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

const LINE_END = Buffer.from('\r\n')

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
