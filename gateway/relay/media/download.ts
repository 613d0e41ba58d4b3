import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, request } from 'undici'
import { declaredType, typeOf } from '../../base/bytes/mime-type.ts'
import { mediaUrl } from './accepted-types.ts'

/** One way to ask for a file: what is sent where. */
export type FetchPlan = Readonly<{
  start: URL
  dispatcher: Dispatcher
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | null
  /** How many redirects are followed. */
  redirects: number
}>

/** What the caller of one download wants of it. */
type DownloadRequest = Readonly<{
  /** The path the caller named; its ending may tell the type. */
  name: string
  maxBytes: number
  /** Hears the declared type before the body is read; what it throws ends the download. */
  onType: (declared: string) => void
  signal: AbortSignal
}>

export type Downloaded = Readonly<{ mime: string; bytes: Buffer }>

/** The server answered with something other than 200. */
export class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly status: number

  constructor(status: number) {
    super(`answered with status ${status}`)
    this.status = status
  }
}

/** The file is longer than allowed. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** A redirect leads to what is no URL for a file. */
export class BadRedirect extends Error {
  override readonly name = 'BadRedirect'
}

const redirects = new Set([301, 302, 303, 307, 308])
const FIRST_BYTES = 64 * 1024

/**
 * Fetches a file whole, with nothing but the headers given. Each redirect is a call of its own, so the dispatcher's
 * connector judges every address. Throws the errors above, and what undici throws; a compressed or empty body fails.
 */
export async function download(route: FetchPlan, wanted: DownloadRequest): Promise<Downloaded> {
  let url = route.start
  for (let left = route.redirects; ; left -= 1) {
    const reply = await send(url, route, wanted.signal)
    const target = redirectTarget(reply)
    if (target === null || left === 0) return receive(reply, wanted, url.pathname)
    discard(reply)
    const next = mediaUrl(target, url)
    if (!next) throw new BadRedirect('redirected to what is no address of a file')
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

async function receive(reply: Dispatcher.ResponseData, wanted: DownloadRequest, path: string): Promise<Downloaded> {
  const { statusCode, headers, body } = reply
  try {
    if (statusCode !== 200) throw new BadStatus(statusCode)
    if (Number(textOf(headers, 'content-length')) > wanted.maxBytes) throw new TooLong('declared too long')
    if (!/^(identity)?$/i.test(textOf(headers, 'content-encoding').trim())) throw new Error('the body is encoded')
    const declared = declaredType(textOf(headers, 'content-type'))
    wanted.onType(declared)
    const bytes = await gather(body, wanted.maxBytes)
    if (bytes.length === 0) throw new Error('the body is empty')
    const names = [path, wanted.name, fileNameOf(textOf(headers, 'content-disposition'))]
    return { mime: typeOf(declared, bytes, names), bytes }
  } finally {
    discard(reply)
  }
}

/** Grows one buffer as bytes come: a list of a million tiny chunks would take far more memory than they hold. */
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

/** Ends the call, whatever is left of it. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy()
}

const textOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '')

/** The file name of a Content-Disposition header (RFC 6266), for its ending only. */
const fileNameOf = (disposition: string): string =>
  /filename\*?=\s*"?([^";]+)/i.exec(disposition.slice(0, 1000))?.[1]?.trim() ?? ''
