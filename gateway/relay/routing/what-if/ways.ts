import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import type { TierMember } from '../../../channels/registry/picker.ts'
import type { Choose } from '../draw.ts'
import type { Route } from '../route.ts'
import type { Odds } from './evidence.ts'

/** A channel that is asked for a request, and how likely: from 0 to 1. */
export type WayStep = Readonly<{ channel: ActiveChannel; chance: number; odds: Odds; isFirst: boolean }>

/** What becomes of a request in the end: parts of it that add up to 1. */
export type Ends = { answered: number; failed: number; noChannel: number }

export type WaysDeps = Readonly<{
  /** A new request at the start of its way, which draws by `choose`. */
  begin: (choose: Choose) => Route
  odds: (channel: ActiveChannel) => Odds
  onStep: (step: WayStep) => void
  budget: WayBudget
  /** Called after each way. */
  rest: () => Promise<void>
}>

/** How many ways may still be walked beside the first of each request. */
export type WayBudget = { left: number }

/** For all requests of one replay. */
export const newBudget = (): WayBudget => ({ left: 300_000 })
/** A draw is followed through all its outcomes while they carry so much of the request, on the average. */
const MIN = 1 / 5000

/**
 * Leads a request through its channels by the relay's own route, on every way that its draws can take, each as likely as the
 * weights make it; what a channel does is as likely as its odds. Exact but for what comes to less than one in 5,000: there a draw
 * has one outcome, by a series of fractions that is always the same (docs/reference/what-if.md#how-it-is-worked-out).
 */
export async function walkAll(deps: WaysDeps): Promise<Ends> {
  const ends: Ends = { answered: 0, failed: 0, noChannel: 0 }
  const fraction = evenFractions()
  const waiting: Way[] = [{ decisions: [], chance: 1 }]
  for (let way = waiting.pop(); way; way = waiting.pop()) {
    walk(deps, { way, waiting, fraction }, ends)
    await deps.rest()
  }
  return ends
}

/** The outcomes of the first draws, and how likely they are together. */
type Way = Readonly<{ decisions: readonly number[]; chance: number }>
type Walking = Readonly<{ way: Way; waiting: Way[]; fraction: (depth: number) => number }>

/** One way to its end; others that branch off it wait for theirs. */
function walk({ begin, odds, onStep, budget }: WaysDeps, { way, waiting, fraction }: Walking, ends: Ends): void {
  const decisions: number[] = []
  let chance = way.chance
  /** How likely it is that all channels before have failed. */
  let reach = 1
  const decide = (option: Option) => {
    decisions.push(option.place)
    return option.place
  }
  const route = begin((sums, members, source) => {
    const known = way.decisions[decisions.length]
    if (known !== undefined) return decide({ place: known, chance: 1 })
    const options = optionsIn(sums, members, source)
    const [first, ...others] = options
    if (!first) return 0
    if (others.length === 0) return decide(first)
    if ((chance * reach) / options.length < MIN || budget.left < others.length)
      return decide(drawn(options, fraction(decisions.length)))
    budget.left -= others.length
    for (const other of others) waiting.push({ decisions: [...decisions, other.place], chance: chance * other.chance })
    chance *= first.chance
    return decide(first)
  })
  const steps: Omit<WayStep, 'chance'>[] = []
  for (let channel = route.next(); channel && reach > 0; channel = route.next()) {
    const step = { channel, odds: odds(channel), isFirst: steps.length === 0 }
    steps.push(step)
    reach *= step.odds.goesOn
    route.begin(channel)
    route.end()
    route.refused(channel, step.odds.failure)
    if (reach === 0) break
  }
  tell(steps, chance, onStep, ends)
}

/** Counts a way by how likely it is, now that all its draws are known. */
function tell(steps: readonly Omit<WayStep, 'chance'>[], chance: number, onStep: WaysDeps['onStep'], ends: Ends): void {
  if (steps.length === 0) {
    ends.noChannel += chance
    return
  }
  let left = chance
  for (const step of steps) {
    const { goesOn, ends: over } = step.odds
    onStep({ ...step, chance: left })
    ends.answered += left * (1 - goesOn - over)
    ends.failed += left * over
    left *= goesOn
  }
  ends.failed += left
}

type Option = Readonly<{ place: number; chance: number }>

/** Whom a draw can turn out to be, and how likely; what a request has looked at already is drawn again. */
function optionsIn(
  sums: readonly number[],
  members: readonly TierMember[],
  source: Parameters<Choose>[2],
): readonly Option[] {
  const open: Option[] = []
  let all = 0
  for (const [place, { channel }] of members.entries()) {
    if (source?.hasSeen(channel.id)) continue
    const chance = (sums[place] ?? 0) - (sums[place - 1] ?? 0)
    all += chance
    open.push({ place, chance })
  }
  return open.map(({ place, chance }) => ({ place, chance: chance / all }))
}

function drawn(options: readonly Option[], fraction: number): Option {
  let left = fraction
  const found = options.find(({ chance }) => {
    left -= chance
    return left < 0
  })
  return found ?? options[options.length - 1] ?? NONE
}

const NONE: Option = { place: 0, chance: 0 }

/**
 * Fractions in [0, 1) for the draws at each depth, spread as evenly as can be and the same each time: multiples of a root of a
 * prime, another one at each depth, so that one draw says nothing of the next.
 */
function evenFractions(): (depth: number) => number {
  const drawn: number[] = []
  return (depth) => {
    const count = (drawn[depth] ?? 0) + 1
    drawn[depth] = count
    return (count * Math.sqrt(PRIMES[depth % PRIMES.length] ?? 2)) % 1
  }
}

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
