import { hash, verify } from '@node-rs/argon2'

/** argon2id (the library's algorithm 2) with 19 MiB and two passes; about 15 ms off the event loop. Never downgraded. */
const settings = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const WORKERS = 2
const QUEUE = 20

/** Hashing and checking; while `busy()` callers are told to come back, which bounds the memory that guessing can take. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** False for a wrong password, an empty or an unreadable hash; takes as long for an unknown account (`null`). */
  matches(stored: string | null, password: string): Promise<boolean>
  busy(): boolean
}

/** Password hashing with at most two at work and twenty waiting (reliability-security.md §4.1, "Passwords"). */
export function createPasswords(): Passwords {
  const waiting: (() => void)[] = []
  let working = 0
  const slot = async <T>(work: () => Promise<T>): Promise<T> => {
    if (working >= WORKERS) await new Promise<void>((resolve) => waiting.push(resolve))
    working += 1
    try {
      return await work()
    } finally {
      working -= 1
      waiting.shift()?.()
    }
  }
  const decoy = hash('a password nobody has', settings)
  return {
    hash: (password) => slot(() => hash(password, settings)),
    async matches(stored, password) {
      const against = stored || (await decoy)
      const same = await slot(() => verify(against, password).catch(() => false))
      return same && Boolean(stored)
    },
    busy: () => waiting.length >= QUEUE,
  }
}
