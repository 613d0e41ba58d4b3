import { randomFraction } from '../../base/ids.ts'
import type { CooldownSnapshot } from '../../channels/health/cooldowns.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { sumsOf, type Tier, type TierMember, weightedIndex } from '../../channels/registry/picker.ts'

export interface EligibilitySource {
  hasSeen(id: number): boolean
  look(member: TierMember): ActiveChannel | undefined
  consider(member: TierMember, now: CooldownSnapshot): boolean
  /** The current cooldowns, for checking many channels at once. */
  moment(): CooldownSnapshot
}

/** Chooses the index of a member by chance; `sums` are cumulative weights. */
const byChance = (sums: readonly number[]): number => weightedIndex(sums, randomFraction())

const DRAWS_BEFORE_SCAN = 8

/**
 * The order in which one request tries channels (docs/reference/selection.md#order): by weight among the untried ones
 * of the best priority that has any. Most requests only evaluate the channel they draw; after eight draws from a tier,
 * its untried channels are evaluated once, and further draws are among the eligible ones.
 */
export class Draw {
  readonly #tiers: readonly Tier[]
  #at = 0
  #blind = 0
  #open: TierMember[] | undefined

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers
  }

  /** Returns undefined when no eligible channel is left. */
  next(source: EligibilitySource): ActiveChannel | undefined {
    for (let tier = this.#tiers[this.#at]; tier; tier = this.#tiers[this.#at]) {
      const channel = this.#drawOptimistically(tier, source) ?? this.#drawFromEligible(tier, source)
      if (channel) return channel
      this.#at += 1
      this.#blind = 0
      this.#open = undefined
    }
    return undefined
  }

  #drawOptimistically(tier: Tier, source: EligibilitySource): ActiveChannel | undefined {
    const { members, sums = sumsOf(members) } = tier
    while (this.#blind < DRAWS_BEFORE_SCAN) {
      this.#blind += 1
      const member = members[members.length > 1 ? byChance(sums) : 0]
      const channel = member && !source.hasSeen(member.channel.id) ? source.look(member) : undefined
      if (channel) return channel
    }
    return undefined
  }

  #drawFromEligible({ members }: Tier, source: EligibilitySource): ActiveChannel | undefined {
    this.#open ??= openIn(members, source)
    for (let member = drawnOut(this.#open); member; member = drawnOut(this.#open)) {
      const channel = source.hasSeen(member.channel.id) ? undefined : source.look(member)
      if (channel) return channel
    }
    return undefined
  }
}

/**
 * The untried members that are eligible. A loop, since there may be thousands of members: `filter` is three times as
 * slow on a frozen array.
 */
function openIn(members: readonly TierMember[], source: EligibilitySource): TierMember[] {
  const now = source.moment()
  const open: TierMember[] = []
  for (const member of members)
    if (!source.hasSeen(member.channel.id) && source.consider(member, now)) open.push(member)
  return open
}

/** Removes and returns a member, chosen by weight among those with the same priority as the first. */
export function drawnOut(members: TierMember[]): TierMember | undefined {
  const best = members[0]?.channel.priority
  const end = members.findIndex(({ channel }) => channel.priority !== best)
  const equals = end < 0 ? members : members.slice(0, end)
  const [member] = members.splice(Math.max(0, byChance(sumsOf(equals))), 1)
  return member
}
