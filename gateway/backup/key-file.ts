import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { keyIdOf } from '../base/ciphers.ts'
import { refuse } from '../base/errors.ts'

const derivation = z.object({
  name: z.literal('argon2id'),
  // A file from elsewhere must not ask for more work than a machine has.
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

/** The data key of an installation, sealed with a passphrase (docs/reference/backup.md#the-data-key). */
export type KeyFile = z.infer<typeof keyFile>

/** Characters that a passphrase has at least: whoever has the file may try as many as they like. */
const MIN_PASSPHRASE = 12
const MEMORY_KIB = 65_536
const PASSES = 3
const ARGON2ID = 2
const TAG_BYTES = 16

/** Seals a data key with a passphrase: argon2id with 64 MiB and three passes, AES-256-GCM. Refuses a short one. */
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
  const cipher = createCipheriv('aes-256-gcm', await derived(passphrase, kdf), nonce).setAAD(placeOf(head))
  const sealed = Buffer.concat([cipher.update(dataKey), cipher.final(), cipher.getAuthTag()])
  return { ...head, nonce: nonce.toString('base64'), sealed: sealed.toString('base64') }
}

/** The data key in the text of a key file. Refuses what is none, and a wrong passphrase. */
export async function openKey(text: string, passphrase: string): Promise<Buffer> {
  const read = keyFile.safeParse(parsed(text))
  if (!read.success) throw refuse('invalid', 'backup.key_file')
  const { nonce, sealed, ...head } = read.data
  const bytes = Buffer.from(sealed, 'base64')
  const end = bytes.length - TAG_BYTES
  try {
    const opener = createDecipheriv('aes-256-gcm', await derived(passphrase, head.kdf), Buffer.from(nonce, 'base64'), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(placeOf(head))
      .setAuthTag(bytes.subarray(end))
    return Buffer.concat([opener.update(bytes.subarray(0, end)), opener.final()])
  } catch (cause) {
    throw refuse('invalid', 'backup.key_wrong', {}, { cause })
  }
}

/** Everything that is told in clear is authenticated, in an order of its own. */
const placeOf = ({ key_id, kdf }: Pick<KeyFile, 'key_id' | 'kdf'>): Buffer =>
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
