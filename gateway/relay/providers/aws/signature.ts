import { createHash, createHmac } from 'node:crypto'

/** Who signs, and for what. */
export type Signer = Readonly<{ accessKey: string; secret: string; region: string; service: string }>

/** A request to be signed: its headers by their lower-case names, without `host`. `at` in unix milliseconds. */
export type Signable = Readonly<{
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  at: number
}>

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The headers that prove a request to AWS (AWS General Reference, "Signature Version 4 signing process"): the time and a
 * signature over the method, path, query, body, host, time and every header given.
 */
export function signed(signer: Signer, { method, url, headers, body, at }: Signable): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 'yyyymmdd'.length)
  const scope = `${day}/${signer.region}/${signer.service}/aws4_request`
  const all: [string, string][] = Object.entries({ ...headers, host: url.host, 'x-amz-date': time })
  all.sort(([one], [other]) => order(one, other))
  const names = all.map(([name]) => name).join(';')
  const request = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...all.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const key = [day, signer.region, signer.service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${signer.secret}`)
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(request)].join('\n')).toString('hex')
  const credential = `${signer.accessKey}/${scope}`
  return {
    'x-amz-date': time,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Every service but S3 wants the path as it is sent encoded once more. */
const canonicalPath = (path: string): string => path.split('/').map(encoded).join('/')

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([one, value], [other, another]) => order(one, other) || order(value, another))
    .map((pair) => pair.join('='))
    .join('&')

/** RFC 3986: all but letters, digits and `-._~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** By code units, as AWS sorts. */
function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
