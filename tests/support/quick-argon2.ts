import { hash, verify } from '@node-rs/argon2'
import type { Argon2 } from '../../gateway/base/secrets/passwords.ts'

/**
 * Hashes passwords as the gateway does but for the least work that argon2id can be: a world makes and checks some, which took
 * half of the time that it started in.
 */
export const quickArgon2: Argon2 = {
  hash: (password) => hash(password, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }),
  verify,
}
