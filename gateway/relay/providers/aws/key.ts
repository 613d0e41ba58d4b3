/** A channel's key for AWS: an access key pair that signs, or a Bedrock API key that is sent, and the region they are for. */
export type AwsKey = Readonly<{ region: string }> &
  (Readonly<{ accessKey: string; secret: string }> | Readonly<{ apiKey: string }>)

const PARTS_OF_PAIR = 3

/** Reads `AccessKey|SecretKey|Region` or `ApiKey|Region` (spec/relay.md §2.1, §4.9 `aws_key_type`); what is missing is empty. */
export function awsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.length >= PARTS_OF_PAIR) return { accessKey: first, secret: second, region: third }
  return { apiKey: first, region: second }
}
