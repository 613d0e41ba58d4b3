import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

/** Seals and opens the secrets that live in the database (docs/reference/security.md#secrets-at-rest). */
export interface Vault {
  /** Which key this is, for whoever keeps several; nothing of the key can be told from it. */
  readonly keyId: string
  /** `place` is `table|id|column`; it is authenticated, so a sealed value cannot be moved to another row. */
  seal(plain: string, place: string): string
  /** The plain text; throws `UnreadableSecret` when the key or the place is not the one it was sealed with. */
  open(sealed: string, place: string): string
  /** What proves that this installation wrote a text, for a purpose (HMAC-SHA256, base64url). */
  sign(text: string, purpose: string): string
}

/** A sealed value that this installation's data key cannot open: it was moved, damaged, or the key was lost. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/** A vault over one 32-byte data key: AES-256-GCM, stored as `v1.<key id>.<nonce>.<ciphertext and tag>` in base64url. */
export function createVault(dataKey: Buffer): Vault {
  if (dataKey.length !== 32) throw new Error('the data key must have 32 bytes')
  const signingKey = createHmac('sha256', dataKey).update('signatures').digest()
  const keyId = keyIdOf(dataKey)
  return {
    keyId,
    seal(plain, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', dataKey, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${keyId}.${nonce.toString('base64url')}.${body.toString('base64url')}`
    },
    sign: (text, purpose) => createHmac('sha256', signingKey).update(`${purpose}\n${text}`).digest('base64url'),
    open(sealed, place) {
      const [version, id, nonce, body] = sealed.split('.')
      if (version !== 'v1' || !nonce || body === undefined) throw new UnreadableSecret(`not a sealed value: ${place}`)
      if (id !== keyId) throw new UnreadableSecret(`sealed with another data key: ${place}`)
      try {
        return decipher(dataKey, Buffer.from(nonce, 'base64url'), Buffer.from(body, 'base64url'), place)
      } catch (cause) {
        throw new UnreadableSecret(`cannot be opened: ${place}`, { cause })
      }
    },
  }
}

/** The name of a data key: the beginning of its hash, which stands in every sealed value. */
export const keyIdOf = (dataKey: Buffer): string => createHash('sha256').update(dataKey).digest('hex').slice(0, 8)

/** Seals bytes that are kept in memory alone, each owner's under a key that follows from a secret which the owner brings. */
interface MemorySeal {
  /** The key of an owner, from its secret; of use in this seal alone. */
  keyOf(secret: string): Buffer
  /** `place` is authenticated as a vault's is. */
  seal(plain: Buffer, key: Buffer, place: string): Buffer
  /** The plain bytes; undefined where the key or the place is not the one they were sealed with. */
  open(sealed: Buffer, key: Buffer, place: string): Buffer | undefined
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A seal for as long as it lives: AES-256-GCM, `nonce ciphertext tag`; nothing that it sealed can be opened by another. */
export function createMemorySeal(): MemorySeal {
  const salt = randomBytes(32)
  return {
    keyOf: (secret) => createHmac('sha256', salt).update(secret).digest(),
    seal(plain, key, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, key, place) {
      const end = sealed.length - TAG_BYTES
      const opener = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(end))
      try {
        return Buffer.concat([opener.update(sealed.subarray(NONCE_BYTES, end)), opener.final()])
      } catch {
        return undefined
      }
    },
  }
}

function decipher(key: Buffer, nonce: Buffer, body: Buffer, place: string): string {
  const tag = body.subarray(body.length - 16)
  const opener = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
    .setAAD(Buffer.from(place))
    .setAuthTag(tag)
  return opener.update(body.subarray(0, body.length - 16), undefined, 'utf8') + opener.final('utf8')
}
