import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and its self-signed certificate, both in PEM. */
export type Certificate = Readonly<{ key: string; cert: string }>

/** A new certificate for `localhost` (RFC 5280, in DER by hand). */
export function aCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('localhost')))))
  const valid = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const hosts = sequence(ALTERNATIVE_NAMES, der(0x04, sequence(der(0x82, Buffer.from('localhost')))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sequence(ECDSA_SHA256),
    name,
    valid,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(hosts)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const whole = sequence(body, sequence(ECDSA_SHA256), signature).toString('base64')
  const lines = whole.match(/.{1,64}/g)?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex')

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)

/** A tag, the length of the content, and the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

function lengthOf(size: number): number[] {
  if (size < 128) return [size]
  return size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
}
