import { createHmac } from 'node:crypto'

/** The halves of a key that a call is signed with. */
export type SigningKey = Readonly<{ apiKey: string; apiSecret: string }>

/**
 * The address of a socket with its proof in the query ("General URL authentication"): host, date and request line signed
 * by HMAC-SHA256. `nowMs` may be 5 minutes from the vendor's own time.
 */
export function signedUrl(address: URL, { apiKey, apiSecret }: SigningKey, nowMs: number): URL {
  const { host, pathname } = address
  const date = new Date(nowMs).toUTCString()
  const signature = createHmac('sha256', apiSecret)
    .update(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`)
    .digest('base64')
  const proof = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const url = new URL(address)
  url.search = new URLSearchParams({ authorization: Buffer.from(proof).toString('base64'), date, host }).toString()
  return url
}
