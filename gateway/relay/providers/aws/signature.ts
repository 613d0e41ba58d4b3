import aws4 from 'aws4'

type Signer = Readonly<{ accessKey: string; secret: string; region: string; service: string }>

/** A request to be signed, with lower-case header names, without `host`. `at` is in Unix milliseconds. */
type Signable = Readonly<{
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  at: number
}>

/** A request with an option that the library's types lack. */
type SignRequest = aws4.Request & Readonly<{ extraHeadersToIgnore: Readonly<Record<string, boolean>> }>

/** Headers that the HTTP client sets later, and that are therefore not signed. */
const UNSIGNED = { 'content-length': true }

/**
 * Returns the headers that authenticate a request to AWS (AWS General Reference, "Signature Version 4 signing
 * process"): the time and a signature over method, path, query, body, host, time and every given header.
 */
export function signed(signer: Signer, { method, url, headers, body, at }: Signable): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const { region, service } = signer
  const request: SignRequest = {
    ...{ host: url.host, path: url.pathname + url.search, method, body, region, service },
    headers: { ...headers, 'X-Amz-Date': time },
    extraHeadersToIgnore: UNSIGNED,
  }
  const signedRequest = aws4.sign(request, { accessKeyId: signer.accessKey, secretAccessKey: signer.secret })
  return { 'x-amz-date': time, authorization: String(signedRequest.headers?.Authorization) }
}

/** A channel's key for AWS, with its region: an access key pair for signing, or a Bedrock API key, which is sent. */
type AwsKey = Readonly<{ region: string }> &
  (Readonly<{ accessKey: string; secret: string }> | Readonly<{ apiKey: string }>)

const PARTS_OF_PAIR = 3

/**
 * Reads `AccessKey|SecretKey|Region` or `ApiKey|Region` (docs/reference/channel-types.md#amazon-bedrock,
 * docs/reference/selection.md#channel-settings); missing parts are empty.
 */
export function awsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.length >= PARTS_OF_PAIR) return { accessKey: first, secret: second, region: third }
  return { apiKey: first, region: second }
}
