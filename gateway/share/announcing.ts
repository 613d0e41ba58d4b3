import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'

/** How a name stands that is to be announced. */
export type Announcement = Readonly<{ name: string; state: 'announced' | 'taken' | 'failed'; said: string }>

/** What is announced: a name, where it leads, and nothing else. */
export type Announced = Readonly<{
  name: string
  addresses: readonly Readonly<{ interface: string; address: string }>[]
  port: number
  isEncrypted: boolean
}>

/** Announces one thing at a time; undefined is nothing. Never throws: sharing goes on without it. */
interface Announcing {
  announce(what: Announced | undefined): Promise<void>
  now(): Announcement | undefined
}

/** The socket is opened, and its library loaded, when something is to be announced. */
export function createAnnouncing({ log, clock }: Readonly<{ log: Pick<Logger, 'warn'>; clock: Clock }>): Announcing {
  let told: { what: string; current: { now: () => Announcement; stop: () => void } } | undefined
  return {
    now: () => told?.current.now(),
    async announce(what) {
      const wanted = JSON.stringify(what ?? null)
      if (told?.what === wanted && told.current.now().state !== 'failed') return
      told?.current.stop()
      told = undefined
      if (what === undefined) return
      try {
        const { announceBy } = await import('./multicast.ts')
        told = { what: wanted, current: announceBy(what, { log, clock }) }
      } catch (error) {
        log.warn('the shared name is not announced', { error })
      }
    },
  }
}
