import aws4 from 'aws4'

/** Who signs, and for what. */
type Signer = Readonly<{ accessKey: string; secret: string; region: string; service: string }>

/** A request to be signed: its headers by their lower-case names, without `host`. `at` in unix milliseconds. */
type Signable = Readonly<{
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  at: number
}>

/** What the library takes beyond what its types say. */
type Asked = aws4.Request & Readonly<{ extraHeadersToIgnore: Readonly<Record<string, boolean>> }>

/** Whoever sends the request says how long it is. */
const UNSIGNED = { 'content-length': true }

/**
 * The headers that prove a request to AWS (AWS General Reference, "Signature Version 4 signing process"): the time and a
 * signature over the method, path, query, body, host, time and every header given.
 */
export function signed(signer: Signer, { method, url, headers, body, at }: Signable): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const { region, service } = signer
  const asked: Asked = {
    ...{ host: url.host, path: url.pathname + url.search, method, body, region, service },
    headers: { ...headers, 'X-Amz-Date': time },
    extraHeadersToIgnore: UNSIGNED,
  }
  const made = aws4.sign(asked, { accessKeyId: signer.accessKey, secretAccessKey: signer.secret })
  return { 'x-amz-date': time, authorization: String(made.headers?.Authorization) }
}

/** A channel's key for AWS: an access key pair that signs, or a Bedrock API key that is sent, and the region they are for. */
type AwsKey = Readonly<{ region: string }> &
  (Readonly<{ accessKey: string; secret: string }> | Readonly<{ apiKey: string }>)

const PARTS_OF_PAIR = 3

/**
 * Reads `AccessKey|SecretKey|Region` or `ApiKey|Region` (docs/reference/channel-types.md#amazon-bedrock,
 * docs/reference/selection.md#channel-settings); what is missing is empty.
 */
export function awsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.length >= PARTS_OF_PAIR) return { accessKey: first, secret: second, region: third }
  return { apiKey: first, region: second }
}
