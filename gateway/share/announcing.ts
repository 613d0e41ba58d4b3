import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'

export type Announcement = Readonly<{ name: string; state: 'announced' | 'taken' | 'failed'; message: string }>

export type Announced = Readonly<{
  name: string
  addresses: readonly Readonly<{ interface: string; address: string }>[]
  port: number
  isEncrypted: boolean
}>

/** Announces one name at a time; undefined for none. Never throws: sharing works without it. */
interface Announcing {
  announce(what: Announced | undefined): Promise<void>
  now(): Announcement | undefined
}

/** The socket is opened, and its library loaded, on the first announcement. */
export function createAnnouncing({ log, clock }: Readonly<{ log: Pick<Logger, 'warn'>; clock: Clock }>): Announcing {
  let active: { what: string; current: { now: () => Announcement; stop: () => void } } | undefined
  return {
    now: () => active?.current.now(),
    async announce(what) {
      const key = JSON.stringify(what ?? null)
      if (active?.what === key && active.current.now().state !== 'failed') return
      active?.current.stop()
      active = undefined
      if (what === undefined) return
      try {
        const { announceBy } = await import('./multicast.ts')
        active = { what: key, current: announceBy(what, { log, clock }) }
      } catch (error) {
        log.warn('the shared name is not announced', { error })
      }
    },
  }
}
