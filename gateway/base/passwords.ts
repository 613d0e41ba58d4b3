import pLimit from 'p-limit'
import { refuse } from './errors.ts'
import { once } from './once.ts'

/** argon2id (the library's algorithm 2) with 19 MiB and two passes; about 15 ms off the event loop. Never downgraded. */
const settings: Argon2Settings = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Hashed with these settings, of a password that nobody has: what an unknown account is checked against. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$r31QSsxFa+bCmmq+GBHkRg$2d1ntaIRkgTh81FaQqBjCjVlUPHjiKkqJN9Vv4c+lFM'
const WORKERS = 2
const QUEUE = 20

/** Hashing and checking, in the order asked; while as many wait as may, both refuse as `limited`, which bounds the memory that guessing can take. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * False for a wrong password, an empty or an unreadable hash; takes as long for an unknown account (`null`). With `foreign`,
   * the costliest hash of another kind that any account has, every answer takes the work of both kinds, whichever the account has
   * and whatever its own costs.
   */
  matches(stored: string | null, password: string, foreign?: string): Promise<boolean>
  /** Whether a hash that matched is of another kind than `hash` makes, as that of an imported account is: then it is exchanged. */
  isForeign(stored: string): boolean
  /** Whether the next one would be refused: asked before anything else is looked up for it. */
  busy(): boolean
}

/** What the library's two functions do, for which tests have others. Both reject what is no hash. */
export interface Argon2 {
  hash(password: string, settings: Argon2Settings): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

/** The algorithm by its number in the library; the memory in KiB. */
export type Argon2Settings = Readonly<Record<'algorithm' | 'memoryCost' | 'timeCost' | 'parallelism', number>>

/** Password hashing with at most two at work and twenty waiting (docs/reference/accounts.md#sign-in). */
export function createPasswords(argon2 = ownThreads(), bcrypt = bcryptMatches): Passwords {
  const workers = pLimit(WORKERS)
  const busy = () => workers.pendingCount >= QUEUE
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy()) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: 1 })
    return workers(work)
  }
  return {
    hash: (password) => inTurn(() => argon2.hash(password, settings)),
    async matches(stored, password, foreign = '') {
      const known = stored ?? ''
      const [theirs, ...filling] = bcryptWork(known, foreign)
      return inTurn(async () => {
        const isOwn = await argon2.verify(isArgon2(known) ? known : DECOY, password).catch(() => false)
        const isTheirs = theirs !== undefined && (await bcrypt(password, theirs, filling))
        return (isOwn && isArgon2(known)) || (isTheirs && theirs === known)
      })
    },
    isForeign: isBcrypt,
    busy,
  }
}

/** Dynamic, so that the module stays a chunk of its own (see `createArgon2`). */
function ownThreads(): Argon2 {
  const threads = once(async () => (await import('./argon2-thread.ts')).createArgon2())
  return {
    hash: async (password, settings) => (await threads()).hash(password, settings),
    verify: async (stored, password) => (await threads()).verify(stored, password),
  }
}

/** As other gateways keep passwords, of a cost that is worked out in a second at most. */
const BCRYPT = /^(\$2[aby]\$)(0[4-9]|1[0-3])(\$[./A-Za-z0-9]{53})$/

/**
 * The hash to check and others to work out beside it, so that it is as much as for the costliest: each cost takes twice the one
 * below, so a hash of cost 10 and fillings of 10 and 11 take as much as one of 12.
 */
function bcryptWork(known: string, foreign: string): string[] {
  const theirs = [known, foreign].find(isBcrypt)
  if (theirs === undefined) return []
  const missing = Math.max(0, costOf(foreign) - costOf(theirs))
  const filling = (more: number) => String(costOf(theirs) + more).padStart(2, '0')
  return [theirs, ...Array.from({ length: missing }, (_, more) => theirs.replace(BCRYPT, `$1${filling(more)}$3`))]
}

const costOf = (hash: string): number => Number(BCRYPT.exec(hash)?.[2] ?? 0)

/** What is no hash at all is checked against the decoy, since it would fail sooner. */
const isArgon2 = (stored: string): boolean => stored.startsWith('$argon2id$')

/** Whether a text is a bcrypt hash that can be checked here. */
export const isBcrypt = (stored: string): boolean => BCRYPT.test(stored)

/** Dynamic, so that the module stays a chunk of its own (see `matchesBcrypt`). */
async function bcryptMatches(password: string, hash: string, filling: readonly string[]): Promise<boolean> {
  const { matchesBcrypt } = await import('./bcrypt-thread.ts')
  return matchesBcrypt(password, hash, filling)
}
