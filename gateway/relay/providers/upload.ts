import pLimit from 'p-limit'
import { refuse } from '../../base/errors.ts'
import { isObject } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { DialTools, Headers } from './provider.ts'

type HeldFile = Readonly<{ mime: string; data: string; name?: string | undefined }>

/** Max files of one request, the same as for files named by URL, and max concurrent uploads. */
const MAX_FILES = 256
const AT_ONCE = 4

/** Replaces every part that has a file in `held` with the result of `upload`, in order. */
export async function withUploads(
  parts: readonly Json[],
  upload: (held: HeldFile, part: Json) => Promise<Json>,
): Promise<Json[]> {
  if (parts.filter(({ held }) => isHeld(held)).length > MAX_FILES)
    throw refuse('invalid', 'relay.mediaTooMany', { count: MAX_FILES }, { code: 'invalid_value' })
  const limit = pLimit(AT_ONCE)
  return Promise.all(parts.map((part) => (isHeld(part.held) ? limit(upload, part.held, part) : part)))
}

const isHeld = (value: unknown): value is HeldFile =>
  isObject(value) && typeof value.data === 'string' && typeof value.mime === 'string'

/**
 * Uploads a file as a form's field `file`, with additional fields, and returns the vendor's description of it; throws
 * the vendor's error.
 */
export async function uploaded(
  { requestJson }: DialTools,
  url: URL,
  headers: Headers,
  { mime, data, name }: HeldFile,
  fields: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set(
    'file',
    new Blob([Buffer.from(data, 'base64')], { type: mime }),
    name ?? `file.${mime.split('/', 2)[1] ?? 'bin'}`,
  )
  const body = new Response(form)
  const type = body.headers.get('content-type') ?? 'multipart/form-data'
  const bytes = Buffer.from(await body.arrayBuffer())
  return requestJson(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, accept: 'application/json' },
    bytes,
  })
}
