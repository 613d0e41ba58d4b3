import type { Json } from '../formats/codec.ts'
import type { DialTools, Headers } from './provider.ts'

export type HeldFile = Readonly<{ mime: string; data: string; name?: string | undefined }>

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
    name ?? `file.${mime.split('/')[1] ?? 'bin'}`,
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
