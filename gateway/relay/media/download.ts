import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, request } from 'undici'
import { declaredType, typeOf } from '../../base/bytes/mime-type.ts'
import { mediaUrl } from './accepted-types.ts'

export type FetchPlan = Readonly<{
  start: URL
  dispatcher: Dispatcher
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | null
  redirects: number
}>

type DownloadRequest = Readonly<{
  /** The path named by the caller; its extension may determine the type. */
  name: string
  maxBytes: number
  /** Called with the declared type before the body is read; an exception ends the download. */
  onType: (declared: string) => void
  signal: AbortSignal
}>

export type Downloaded = Readonly<{ mime: string; bytes: Buffer }>

export class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly status: number

  constructor(status: number) {
    super(`answered with status ${status}`)
    this.status = status
  }
}

export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** A redirect leads to a URL that is not allowed for files. */
export class BadRedirect extends Error {
  override readonly name = 'BadRedirect'
}

const redirects = new Set([301, 302, 303, 307, 308])
const FIRST_BYTES = 64 * 1024

/**
 * Downloads a whole file, sending only the given headers. Each redirect is a separate request, so the dispatcher's
 * connector checks every address. Throws the errors above and those of undici; a compressed or empty body fails.
 */
export async function download(route: FetchPlan, options: DownloadRequest): Promise<Downloaded> {
  let url = route.start
  for (let left = route.redirects; ; left -= 1) {
    const reply = await send(url, route, options.signal)
    const target = redirectTarget(reply)
    if (target === null || left === 0) return receive(reply, options, url.pathname)
    discard(reply)
    const next = mediaUrl(target, url)
    if (!next) throw new BadRedirect('redirected to an address that is not a file')
    url = next
  }
}

const send = (url: URL, { dispatcher, method, headers, body }: FetchPlan, signal: AbortSignal) =>
  request(url, {
    dispatcher,
    method,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
    body,
    signal,
    reset: true,
  })

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  if (!redirects.has(statusCode)) return null
  return textOf(headers, 'location') || null
}

async function receive(reply: Dispatcher.ResponseData, options: DownloadRequest, path: string): Promise<Downloaded> {
  const { statusCode, headers, body } = reply
  try {
    if (statusCode !== 200) throw new BadStatus(statusCode)
    if (Number(textOf(headers, 'content-length')) > options.maxBytes) throw new TooLong('declared too long')
    if (!/^(identity)?$/i.test(textOf(headers, 'content-encoding').trim())) throw new Error('the body is encoded')
    const declared = declaredType(textOf(headers, 'content-type'))
    options.onType(declared)
    const bytes = await gather(body, options.maxBytes)
    if (bytes.length === 0) throw new Error('the body is empty')
    const names = [path, options.name, fileNameOf(textOf(headers, 'content-disposition'))]
    return { mime: typeOf(declared, bytes, names), bytes }
  } finally {
    discard(reply)
  }
}

/** Grows one buffer as bytes arrive: a list of a million tiny chunks would take far more memory than their content. */
async function gather(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  for await (const chunk of body) {
    if (length + chunk.length > maxBytes) throw new TooLong('went on too long')
    if (length + chunk.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + chunk.length))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    length += chunk.copy(bytes, length)
  }
  return bytes.subarray(0, length)
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy()
}

const textOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '')

/** Returns the file name of a Content-Disposition header (RFC 6266), used only for its extension. */
const fileNameOf = (disposition: string): string =>
  /filename\*?=\s*"?([^";]+)/i.exec(disposition.slice(0, 1000))?.[1]?.trim() ?? ''
