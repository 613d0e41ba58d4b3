import type { FetchTrusted } from '../../base/network/http-client.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 128 * 1024

type Options = Readonly<{ method: string; headers: Record<string, string>; body?: URLSearchParams | undefined }>

/** A `fetch` for oauth4webapi that uses the gateway's own client: 5 s, 128 KiB, no redirects. */
export const providerFetch =
  (fetchTrusted: FetchTrusted) =>
  async (url: string, { method, headers, body }: Options): Promise<Response> => {
    const answered = await fetchTrusted(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body && { body: body.toString() }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    const isEmpty = [204, 205, 304].includes(answered.status)
    const { 'content-type': type = '', 'www-authenticate': challenge = '' } = answered.headers
    const responseHeaders = new Headers({ 'content-type': type })
    // From a token endpoint, the library would report this header instead of the more detailed body.
    if (method !== 'POST' && challenge !== '') responseHeaders.set('www-authenticate', challenge)
    return new Response(isEmpty ? null : answered.text, { status: answered.status, headers: responseHeaders })
  }
