import pLimit from 'p-limit'
import { refuse } from '../errors.ts'
import { once } from '../once.ts'

/** argon2id (the library's algorithm 2) with 19 MiB and two passes; about 15 ms off the event loop. Never weaken it. */
const settings: Argon2Settings = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hash, with these settings, of a password that no one has; unknown accounts are checked against it. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$r31QSsxFa+bCmmq+GBHkRg$2d1ntaIRkgTh81FaQqBjCjVlUPHjiKkqJN9Vv4c+lFM'
const WORKERS = 2
const QUEUE = 20

/**
 * Hashes and checks passwords in request order. While the queue is full, `hash` and `matches` reject with `limited`,
 * which bounds the memory that password guessing can use.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Returns false for a wrong password or an empty or unreadable hash; takes as long for an unknown account (`null`).
   * `foreign` is the costliest imported hash of any account; with it, every check takes the time of both kinds of hash,
   * regardless of the kind and cost of the account's hash.
   */
  matches(stored: string | null, password: string, foreign?: string): Promise<boolean>
  /**
   * Returns whether a matching hash is of another kind than `hash` creates, as for an imported account; it is then
   * replaced.
   */
  isForeign(stored: string): boolean
  /** Returns whether the next call would be rejected; check it before looking up anything else. */
  busy(): boolean
}

/** The two functions of the argon2 library, replaceable in tests. Both reject an invalid hash. */
export interface Argon2 {
  hash(password: string, settings: Argon2Settings): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** The algorithm by its number in the library; memory in KiB. */
export type Argon2Settings = Readonly<Record<'algorithm' | 'memoryCost' | 'timeCost' | 'parallelism', number>>

/**
 * Creates password hashing with at most two concurrent and twenty queued calls (docs/reference/accounts.md#login).
 */
export function createPasswords(argon2 = threadedArgon2(), bcrypt = bcryptMatches): Passwords {
  const workers = pLimit(WORKERS)
  const busy = () => workers.pendingCount >= QUEUE
  const enqueue = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
    return workers(work)
  }
  return {
    hash: (password) => enqueue(() => argon2.hash(password, settings)),
    async matches(stored, password, foreign = '') {
      const known = stored ?? ''
      const [bcryptHash, ...fillers] = bcryptWork(known, foreign)
      return enqueue(async () => {
        const isArgon2Match = await argon2.verify(isArgon2(known) ? known : DECOY, password).catch(() => false)
        const isBcryptMatch = bcryptHash !== undefined && (await bcrypt(password, bcryptHash, fillers))
        return (isArgon2Match && isArgon2(known)) || (isBcryptMatch && bcryptHash === known)
      })
    },
    isForeign: isBcrypt,
    busy,
  }
}

/** Imported dynamically, so that the module stays a separate chunk (see `createArgon2`). */
function threadedArgon2(): Argon2 {
  const threads = once(async () => (await import('./argon2-thread.ts')).createArgon2())
  return {
    hash: async (password, settings) => (await threads()).hash(password, settings),
    verify: async (stored, password) => (await threads()).verify(stored, password),
  }
}

/** bcrypt hashes as other gateways store them, limited to costs that take at most a second. */
const BCRYPT = /^(\$2[aby]\$)(0[4-9]|1[0-3])(\$[./A-Za-z0-9]{53})$/

/**
 * The hash to check, and fillers that bring the work up to that of the costliest hash. Each cost takes twice the one
 * below, so a hash of cost 10 with fillers of 10 and 11 takes as long as one of cost 12.
 */
function bcryptWork(known: string, foreign: string): string[] {
  const bcryptHash = [known, foreign].find(isBcrypt)
  if (bcryptHash === undefined) return []
  const missing = Math.max(0, costOf(foreign) - costOf(bcryptHash))
  const fillerCost = (more: number) => String(costOf(bcryptHash) + more).padStart(2, '0')
  return [
    bcryptHash,
    ...Array.from({ length: missing }, (_, more) => bcryptHash.replace(BCRYPT, `$1${fillerCost(more)}$3`)),
  ]
}

const costOf = (hash: string): number => Number(BCRYPT.exec(hash)?.[2] ?? 0)

/** Whether argon2 can verify a hash. Any other text would fail sooner, so the decoy is verified in its place. */
const isArgon2 = (stored: string): boolean => stored.startsWith('$argon2id$')

export const isBcrypt = (stored: string): boolean => BCRYPT.test(stored)

/** Imported dynamically, so that the module stays a separate chunk (see `matchesBcrypt`). */
async function bcryptMatches(password: string, hash: string, fillers: readonly string[]): Promise<boolean> {
  const { matchesBcrypt } = await import('./bcrypt-thread.ts')
  return matchesBcrypt(password, hash, fillers)
}
