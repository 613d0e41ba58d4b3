import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { yieldToOthers } from '../fair-yield.ts'

/** Encrypts and decrypts the secrets in the database (docs/reference/security.md#secrets-at-rest). */
export interface Vault {
  /** Identifies the key among several; reveals nothing about it. */
  readonly keyId: string
  /** `context` is `table|id|column`; it is authenticated, so an encrypted value cannot be moved to another row. */
  seal(plain: string | Buffer, context: string): string
  /**
   * Returns the plain text; throws `UnreadableSecret` if the key or context differs from the one it was encrypted with.
   */
  open(sealed: string, context: string): string
  /** Returns the plain text as bytes, like `open`; yields to the event loop while it decrypts a long one. */
  openBytes(sealed: string, context: string): Promise<Buffer>
  /** Returns a signature for a purpose (HMAC-SHA256, base64url), which proves that this installation wrote the text. */
  sign(text: string, purpose: string): string
}

/**
 * An encrypted value that this installation's data key cannot decrypt: it was moved or damaged, or the key was lost.
 */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
}

/**
 * Creates a vault for a 32-byte data key: AES-256-GCM, stored as `v1.<key id>.<nonce>.<ciphertext and tag>` in
 * base64url.
 */
export function createVault(dataKey: Buffer): Vault {
  if (dataKey.length !== 32) throw new Error('the data key must have 32 bytes')
  const signingKey = createHmac('sha256', dataKey).update('signatures').digest()
  const keyId = keyIdOf(dataKey)
  return {
    keyId,
    seal(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', dataKey, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([
        typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `v1.${keyId}.${nonce.toString('base64url')}.${body.toString('base64url')}`
    },
    sign: (text, purpose) => createHmac('sha256', signingKey).update(`${purpose}\n${text}`).digest('base64url'),
    open(sealed, context) {
      const { nonce, body } = partsOf(sealed, keyId, context)
      try {
        return decipher(dataKey, Buffer.from(nonce, 'base64url'), Buffer.from(body, 'base64url'), context)
      } catch (cause) {
        throw new UnreadableSecret(`cannot be opened: ${context}`, { cause })
      }
    },
    async openBytes(sealed, context) {
      const { nonce, body } = partsOf(sealed, keyId, context)
      try {
        return await decipherYielding(dataKey, Buffer.from(nonce, 'base64url'), body, context)
      } catch (cause) {
        throw new UnreadableSecret(`cannot be opened: ${context}`, { cause })
      }
    },
  }
}

function partsOf(sealed: string, keyId: string, context: string): Readonly<{ nonce: string; body: string }> {
  const [version, id, nonce, body] = sealed.split('.')
  if (version !== 'v1' || !nonce || body === undefined) throw new UnreadableSecret(`not a sealed value: ${context}`)
  if (id !== keyId) throw new UnreadableSecret(`sealed with another data key: ${context}`)
  return { nonce, body }
}

/** The id of a data key, which is part of every encrypted value: the beginning of the key's hash. */
export const keyIdOf = (dataKey: Buffer): string => createHash('sha256').update(dataKey).digest('hex').slice(0, 8)

/** Encrypts bytes that are stored only in memory, each owner's with a key derived from a secret of the owner. */
interface MemorySeal {
  /** Derives an owner's key from its secret; valid only for this instance. */
  keyOf(secret: string): Buffer
  /** `context` is authenticated as in `Vault.seal`. */
  seal(plain: Buffer, key: Buffer, context: string): Buffer
  /** Returns the plain bytes, or undefined if the key or context differs from the one they were encrypted with. */
  open(sealed: Buffer, key: Buffer, context: string): Buffer | undefined
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM, as nonce, ciphertext and tag. Another instance cannot decrypt the values. */
export function createMemorySeal(): MemorySeal {
  const salt = randomBytes(32)
  return {
    keyOf: (secret) => createHmac('sha256', salt).update(secret).digest(),
    seal(plain, key, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, key, context) {
      const end = sealed.length - TAG_BYTES
      const opener = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(end))
      try {
        return Buffer.concat([opener.update(sealed.subarray(NONCE_BYTES, end)), opener.final()])
      } catch {
        return undefined
      }
    },
  }
}

function decipher(key: Buffer, nonce: Buffer, body: Buffer, context: string): string {
  const tag = body.subarray(body.length - 16)
  const opener = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return opener.update(body.subarray(0, body.length - 16), undefined, 'utf8') + opener.final('utf8')
}

/**
 * Characters of base64 that are decrypted before yielding; a multiple of four, since four characters encode three
 * bytes.
 */
const STEP = 1024 * 1024

async function decipherYielding(key: Buffer, nonce: Buffer, body: string, context: string): Promise<Buffer> {
  const end = Math.floor((body.length * 3) / 4) - TAG_BYTES
  const tagged = Math.max(0, Math.floor(end / 3) * 3)
  const tag = Buffer.from(body.slice((tagged / 3) * 4), 'base64url').subarray(end - tagged)
  const opener = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  const plain = Buffer.allocUnsafe(Math.max(0, end))
  for (let at = 0, from = 0; at < plain.length; from += STEP) {
    if (from > 0) await yieldToOthers()
    const bytes = Buffer.from(body.slice(from, from + STEP), 'base64url').subarray(0, end - at)
    at += opener.update(bytes).copy(plain, at)
  }
  opener.final()
  return plain
}
