import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { refuse } from '../base/errors.ts'
import { keyIdOf } from '../base/secrets/ciphers.ts'

const derivation = z.object({
  name: z.literal('argon2id'),
  // Bounds the work that an untrusted file can demand.
  memory_kib: z.int().min(8192).max(1_048_576),
  passes: z.int().min(1).max(16),
  lanes: z.int().min(1).max(8),
  salt: z.base64().min(20).max(128),
})

const keyFile = z.object({
  product: z.literal('switchyard'),
  kind: z.literal('data key'),
  version: z.literal(1),
  key_id: z.string().regex(/^[0-9a-f]{8}$/),
  kdf: derivation,
  nonce: z.base64().length(16),
  sealed: z.base64().length(64),
})

/** The data key of an installation, encrypted with a passphrase (docs/reference/backup.md#the-data-key). */
export type KeyFile = z.infer<typeof keyFile>

/** Minimum length of a passphrase, because anyone with the file can try passphrases without limit. */
const MIN_PASSPHRASE = 12
const MEMORY_KIB = 65_536
const PASSES = 3
const ARGON2ID = 2
const TAG_BYTES = 16

/**
 * Encrypts a data key with a passphrase: argon2id with 64 MiB and three passes, AES-256-GCM. Throws if the passphrase
 * is too short.
 */
export async function sealKey(dataKey: Buffer, passphrase: string): Promise<KeyFile> {
  if ([...passphrase].length < MIN_PASSPHRASE)
    throw refuse('invalid', 'backup.passphrase_short', { min: MIN_PASSPHRASE })
  const kdf = {
    name: 'argon2id' as const,
    memory_kib: MEMORY_KIB,
    passes: PASSES,
    lanes: 1,
    salt: randomBytes(16).toString('base64'),
  }
  const nonce = randomBytes(12)
  const head = { product: 'switchyard', kind: 'data key', version: 1, key_id: keyIdOf(dataKey), kdf } as const
  const cipher = createCipheriv('aes-256-gcm', await derived(passphrase, kdf), nonce).setAAD(authenticatedData(head))
  const sealed = Buffer.concat([cipher.update(dataKey), cipher.final(), cipher.getAuthTag()])
  return { ...head, nonce: nonce.toString('base64'), sealed: sealed.toString('base64') }
}

/** Decrypts the data key in the text of a key file. Throws if the text is not a key file or the passphrase is wrong. */
export async function openKey(text: string, passphrase: string): Promise<Buffer> {
  const read = keyFile.safeParse(parsed(text))
  if (!read.success) throw refuse('invalid', 'backup.key_file')
  const { nonce, sealed, ...head } = read.data
  const bytes = Buffer.from(sealed, 'base64')
  const end = bytes.length - TAG_BYTES
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      await derived(passphrase, head.kdf),
      Buffer.from(nonce, 'base64'),
      {
        authTagLength: TAG_BYTES,
      },
    )
      .setAAD(authenticatedData(head))
      .setAuthTag(bytes.subarray(end))
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()])
  } catch (cause) {
    throw refuse('invalid', 'backup.key_wrong', {}, { cause })
  }
}

/** Additional authenticated data: all unencrypted fields that matter, in a fixed order. */
const authenticatedData = ({ key_id, kdf }: Pick<KeyFile, 'key_id' | 'kdf'>): Buffer =>
  Buffer.from(['switchyard data key 1', key_id, kdf.name, kdf.memory_kib, kdf.passes, kdf.lanes, kdf.salt].join('|'))

async function derived(passphrase: string, { memory_kib, passes, lanes, salt }: KeyFile['kdf']): Promise<Buffer> {
  const { hashRaw } = await import('@node-rs/argon2')
  return hashRaw(passphrase.normalize('NFC'), {
    algorithm: ARGON2ID,
    memoryCost: memory_kib,
    timeCost: passes,
    parallelism: lanes,
    outputLen: 32,
    salt: Buffer.from(salt, 'base64'),
  })
}
