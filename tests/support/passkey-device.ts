import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { CreationOptions, RequestOptions } from '../../shared/api/passkey.ts'

/** Deviations of a device from correct behaviour. */
export type Misdoing = Readonly<{
  origin?: string
  rpId?: string
  /** Whether the device has verified its owner; default true. */
  isVerified?: boolean
  challenge?: string
  counter?: number
  userHandle?: string
  /** The id of a credential other than the one it signs with. */
  id?: string
  /** The name of the attestation format. */
  format?: string
  /** Whether the device signs its attestation with the new key. */
  isSelfAttested?: boolean
}>

type Credential = { id: string; key: KeyObject; userHandle: string; rpId: string; counter: number }

/**
 * A software device with passkeys (https://www.w3.org/TR/webauthn-3/): keys on P-256, discoverable, attestation "none".
 * It is used on a page of this origin.
 */
export function anAuthenticator(origin: string) {
  const made: Credential[] = []
  const newest = () => {
    const credential = made.at(-1)
    if (!credential) throw new Error('the device has no passkey')
    return credential
  }
  return {
    origin,
    made,
    /** Creates a passkey; returns what a browser would send. */
    creates(options: CreationOptions, otherwise: Misdoing = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const raw = randomBytes(16)
      const credential = {
        id: otherwise.id ?? raw.toString('base64url'),
        key: privateKey,
        userHandle: options.user.id,
        rpId: options.rp.id,
        counter: 0,
      }
      made.push(credential)
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, raw.length]),
        otherwise.id ? Buffer.from(otherwise.id, 'base64url') : raw,
        coseOf(publicKey),
      ])
      const data = Buffer.concat([head(otherwise.rpId ?? credential.rpId, flagsOf(otherwise) | ATTESTED, 0), attested])
      const clientDataJSON = said('webauthn.create', options.challenge, { origin, ...otherwise })
      const signature = signed(data, clientDataJSON, privateKey)
      const proof = otherwise.isSelfAttested ? [text('alg'), byte(0x26), text('sig'), blob(signature)] : []
      const format = otherwise.isSelfAttested ? 'packed' : (otherwise.format ?? 'none')
      const attestationObject = base64url(
        cborMap([text('fmt'), text(format), text('attStmt'), cborMap(proof), text('authData'), blob(data)]),
      )
      const response = { clientDataJSON, attestationObject, transports: ['internal'] }
      return { id: credential.id, rawId: credential.id, type: 'public-key', response }
    },
    /** Responds to a login with its newest passkey; returns what a browser would send. */
    answers(options: RequestOptions, otherwise: Misdoing = {}) {
      const credential = newest()
      credential.counter = otherwise.counter ?? credential.counter
      const data = head(otherwise.rpId ?? credential.rpId, flagsOf(otherwise), credential.counter)
      const clientDataJSON = said('webauthn.get', options.challenge, { origin, ...otherwise })
      const signature = signed(data, clientDataJSON, credential.key)
      const id = otherwise.id ?? credential.id
      const response = {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: otherwise.userHandle ?? credential.userHandle,
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
}

export type Authenticator = ReturnType<typeof anAuthenticator>

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

const flagsOf = ({ isVerified = true }: Misdoing): number => PRESENT | (isVerified ? VERIFIED : 0)

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

function said(type: string, challenge: string, { origin, challenge: other }: Misdoing): string {
  return base64url(Buffer.from(JSON.stringify({ type, challenge: other ?? challenge, origin, crossOrigin: false })))
}

/**
 * A signature over authenticator data and the hash of the client data
 * (https://www.w3.org/TR/webauthn-3/#sctn-op-get-assertion).
 */
function signed(data: Buffer, clientDataJSON: string, key: KeyObject): Buffer {
  const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
  return createSign('sha256')
    .update(Buffer.concat([data, hash]))
    .sign(key)
}

/** The start of authenticator data: hash of the relying party, flags, signature counter. */
function head(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags, 0)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

/** A key in COSE form: EC2, ES256, P-256, and the two coordinates. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (value: string) => blob(Buffer.from(value, 'base64url'))
  return cborMap([
    byte(0x01),
    byte(0x02),
    byte(0x03),
    byte(0x26),
    byte(0x20),
    byte(0x01),
    byte(0x21),
    coordinate(x),
    byte(0x22),
    coordinate(y),
  ])
}

const byte = (value: number): Buffer => Buffer.from([value])

/** The head of a CBOR item (RFC 8949 §3), with a length of at most two bytes. */
function item(major: number, length: number): Buffer {
  if (length < 24) return byte((major << 5) | length)
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}
const text = (value: string): Buffer => Buffer.concat([item(3, value.length), Buffer.from(value)])
const blob = (value: Buffer): Buffer => Buffer.concat([item(2, value.length), value])
const cborMap = (items: readonly Buffer[]): Buffer => Buffer.concat([item(5, items.length / 2), ...items])
