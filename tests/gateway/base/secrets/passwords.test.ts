import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPasswords } from '../../../../gateway/base/secrets/passwords.ts'
import { quickArgon2 } from '../../../support/quick-argon2.ts'

/** Stands in for argon2: each call is recorded at its start and waits until it is released. */
function aSlowHash() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  let max = 0
  let atWork = 0
  const work = async (name: string) => {
    begun.push(name)
    atWork += 1
    max = Math.max(max, atWork)
    await new Promise<void>((resolve) => ends.push(resolve))
    atWork -= 1
  }
  const argon2 = {
    hash: async (password: string | Uint8Array) => {
      await work(String(password))
      return `hash of ${password}`
    },
    verify: async () => true,
  }
  return { argon2, begun, max: () => max, endOne: () => ends.shift()?.() }
}

const settled = () => pause(0)

describe('the queue of passwords (docs/reference/accounts.md#login)', () => {
  it('serves waiting requests before new ones that arrive while a slot becomes free, two at a time', async () => {
    const { argon2, begun, max, endOne } = aSlowHash()
    const passwords = createPasswords(argon2)
    const asked = ['a', 'b', 'c', 'd'].map((name) => passwords.hash(name))
    await settled()
    expect(begun).toEqual(['a', 'b'])
    endOne()
    // Calls made between the release of a slot and the start of the call that waits for it.
    const late = Array.from({ length: 12 }, async (_, turns) => {
      for (let turn = 0; turn < turns; turn += 1) await undefined
      return passwords.hash(`late ${turns}`)
    })
    for (let end = 0; end < 16; end += 1) {
      await settled()
      endOne()
    }
    await Promise.all([...asked, ...late])
    expect(max()).toBe(2)
    expect(begun).toEqual(['a', 'b', 'c', 'd', ...late.map((_, turns) => `late ${turns}`)])
  })

  it('lets twenty wait and refuses the rest, no matter how many checked before whether it is busy', async () => {
    const { argon2, endOne } = aSlowHash()
    const passwords = createPasswords(argon2)
    expect(passwords.busy()).toBe(false)
    const outcomes = Promise.allSettled(Array.from({ length: 60 }, (_, index) => passwords.hash(`${index}`)))
    await settled()
    expect(passwords.busy()).toBe(true)
    for (let end = 0; end < 30; end += 1) {
      endOne()
      await settled()
    }
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected')
    expect(60 - refused.length).toBeLessThanOrEqual(22)
    expect(refused[0]?.reason).toMatchObject({ kind: 'limited', key: 'http.429', retryAfterSeconds: 1 })
    expect(passwords.busy()).toBe(false)
  })
})

it('an unknown account takes as much work as a known one: its decoy is hashed with the settings of today', async () => {
  const { hash, verify } = await import('@node-rs/argon2')
  const against: string[] = []
  const passwords = createPasswords({
    hash,
    verify: (stored, password) => {
      against.push(String(stored))
      return verify(stored, password)
    },
  })
  const work = (stored = '') => stored.split('$').slice(0, 4)
  expect(await passwords.matches(null, 'a password nobody has')).toBe(false)
  expect(work(against[0])).toEqual(work(await passwords.hash('of somebody')))
})

it('while any account has a hash of another gateway, every answer takes both kinds of work', async () => {
  const foreign = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  const work: string[] = []
  const passwords = createPasswords(
    {
      hash: quickArgon2.hash,
      verify: (stored, password) => {
        work.push('argon2')
        return quickArgon2.verify(stored, password)
      },
    },
    async (password) => {
      work.push('bcrypt')
      return password === 'theirs'
    },
  )
  const own = await passwords.hash('ours')
  const tried = async (stored: string | null, password: string, beside?: string) => {
    work.length = 0
    return [await passwords.matches(stored, password, beside), ...work]
  }
  for (const stored of [null, '', 'no hash at all', own, foreign]) {
    expect(await tried(stored, 'theirs', foreign)).toEqual([stored === foreign, 'argon2', 'bcrypt'])
    expect(await tried(stored, 'ours', foreign)).toEqual([stored === own, 'argon2', 'bcrypt'])
    if (stored !== foreign) expect(await tried(stored, 'neither')).toEqual([false, 'argon2'])
  }
})

it('a hash of another gateway takes as much work as the costliest that any account has', async () => {
  const hashOf = (cost: string) => `$2a$${cost}$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`
  let work = 0
  const passwords = createPasswords(quickArgon2, async (_, hash, filling) => {
    for (const one of [hash, ...filling]) work += 2 ** Number(one.split('$')[2])
    return true
  })
  for (const stored of [null, hashOf('04'), hashOf('09'), hashOf('10'), hashOf('12')]) {
    work = 0
    expect(await passwords.matches(stored, 'a password', hashOf('12'))).toBe(stored !== null)
    expect(work, String(stored)).toBe(2 ** 12)
  }
})

describe('separate hashing threads', () => {
  it('hash as the library does, and verify their own hashes', async () => {
    const { verify } = await import('@node-rs/argon2')
    const passwords = createPasswords()
    const [one, other] = await Promise.all([passwords.hash('first'), passwords.hash('second')])
    expect(await verify(one, 'first')).toBe(true)
    expect(await Promise.all([passwords.matches(one, 'first'), passwords.matches(other, 'first')])).toEqual([
      true,
      false,
    ])
    expect(await passwords.matches('no hash at all', 'first')).toBe(false)
    expect(await passwords.hash('after a failure')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it.runIf(process.platform === 'linux')(
    'run at lower priority than the relaying thread, and end when idle',
    async () => {
      const { createArgon2 } = await import('../../../../gateway/base/secrets/argon2-thread.ts')
      const before = threadsSetBack()
      const added = () => threadsSetBack().filter((thread) => !before.includes(thread)).length
      const argon2 = createArgon2(0)
      const stored = await argon2.hash('a password', { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 })
      await expect.poll(added).toBe(0)
      expect(await argon2.verify(stored, 'a password')).toBe(true)
      await expect.poll(added).toBe(0)

      const lasting = createArgon2()
      await lasting.verify(stored, 'a password')
      expect(added()).toBe(1)
    },
  )
})

/**
 * The threads of this process with a niceness of 5. It is the nineteenth field; the second, a name, may contain spaces.
 */
const threadsSetBack = () => readdirSync('/proc/self/task').filter((thread) => nicenessOf(thread) === '5')

function nicenessOf(thread: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]
  } catch {
    // The thread has ended.
  }
}
