import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'TC3-HMAC-SHA256'
const SIGNED = 'content-type;host;x-tc-action'

/** The signed parts of a POST to the path `/` of a Tencent Cloud service. */
type SignedCall = Readonly<{
  host: string
  service: string
  action: string
  contentType: string
  bytes: Uint8Array
  /** Unix seconds. */
  timestamp: number
}>

/** Returns the `Authorization` of a call (Tencent Cloud API 3.0, "Signature Method v3", TC3-HMAC-SHA256). */
export function authorization(call: SignedCall, secretId: string, secretKey: string): string {
  const { service, timestamp } = call
  const date = new Date(timestamp * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const scope = `${date}/${service}/tc3_request`
  const toSign = [ALGORITHM, timestamp, scope, hashed(canonical(call))].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secretKey}`)
  const signature = hmac(key, toSign).toString('hex')
  return `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`
}

/** Returns the form of a call that is hashed: method, path, query, headers, their names, body. */
export const canonical = ({ host, action, contentType, bytes }: SignedCall): string =>
  [
    'POST',
    '/',
    '',
    `content-type:${contentType}`,
    `host:${host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    SIGNED,
    hashed(bytes),
  ].join('\n')

const hashed = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
