import type { Cooldown } from '../../../channels/health/cooldowns.ts'
import type { Skipped } from '../../model/outcome.ts'

/** What stood against a channel at a moment. */
export type PastObstacle = Cooldown | 'full'

/** Which channels the log knows to have been passed over, and when (docs/reference/what-if.md#what-it-assumes). */
export interface PastCooldowns {
  /** A request at `at`, in unix seconds, that passed these over; requests come the newest first. */
  note(at: number, model: string, skipped: readonly Skipped[]): void
  /** What stood in the way of channels for a model at a moment. */
  at(model: string, seconds: number): ReadonlyMap<number, PastObstacle>
}

type Stretch = { from: number; to: number; obstacle: PastObstacle }

/** Nothing is known at first. */
export function createPastCooldowns(): PastCooldowns {
  /** By model and channel, the newest stretch first, none touching another. */
  const models = new Map<string, Map<number, Stretch[]>>()
  return {
    note(at, model, skipped) {
      for (const one of skipped) {
        const ofModel = models.get(model) ?? new Map<number, Stretch[]>()
        models.set(model, ofModel)
        const stretches = ofModel.get(one.channel) ?? []
        ofModel.set(one.channel, stretches)
        put(stretches, { from: at, to: at + (one.seconds ?? 0), obstacle: obstacleOf(one) })
      }
    },
    at(model, seconds) {
      const standing = new Map<number, PastObstacle>()
      for (const [channel, stretches] of models.get(model) ?? []) {
        const found = standingAt(stretches, seconds)
        if (found) standing.set(channel, found)
      }
      return standing
    },
  }
}

const TOO_MANY = 429

function obstacleOf({ reason, status = 0, seconds = 0 }: Skipped): PastObstacle {
  if (reason === 'at_capacity') return 'full'
  const isLimited = reason === 'limited' || (reason === 'no_key' && status === TOO_MANY)
  return { kind: isLimited ? 'limited' : 'failing', status, seconds: Math.max(1, seconds) }
}

/** Adds an older stretch; one that reaches into the last is made one with it. */
function put(stretches: Stretch[], stretch: Stretch): void {
  const last = stretches.at(-1)
  if (!last || stretch.to < last.from || kindOf(last) !== kindOf(stretch)) return void stretches.push(stretch)
  last.from = Math.min(last.from, stretch.from)
  last.to = Math.max(last.to, stretch.to)
}

const kindOf = ({ obstacle }: Stretch): string => (obstacle === 'full' ? obstacle : obstacle.kind)

/** Stretches begin in falling order; the newest that has begun decides. */
function standingAt(stretches: readonly Stretch[], seconds: number): PastObstacle | undefined {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.from ?? 0) > seconds) low = middle + 1
    else high = middle
  }
  const found = stretches[low]
  return found && found.to >= seconds ? found.obstacle : undefined
}
