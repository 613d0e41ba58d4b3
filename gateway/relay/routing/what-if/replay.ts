import { GatewayError } from '../../../base/errors.ts'
import type { Cooldowns } from '../../../channels/health/cooldowns.ts'
import type { InFlight } from '../../../channels/health/in-flight.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import type { Settings } from '../../../settings/settings.ts'
import { bareCall } from '../bare-call.ts'
import { Route, type RouteDeps } from '../route.ts'
import type { Evidence } from './evidence.ts'
import type { LoggedCall } from './logged-call.ts'
import type { PastCooldowns, PastObstacle } from './past-cooldowns.ts'
import { hourAt, type ReplayTally } from './tally.ts'
import { type Ends, newBudget, type WayStep, walkAll } from './ways.ts'
import { groupIn, type ReplayWorld } from './worlds.ts'

/** A request as it is replayed: what routing looks at, and whether it failed for what its caller sent. */
export type PastCall = Pick<LoggedCall, 'at' | 'groups' | 'model' | 'endpoint' | 'promptTokens' | 'times'> &
  Readonly<{ isCallers: boolean }>

export type WorldReplayDeps = Omit<RouteDeps, 'cooldowns' | 'inFlight' | 'settings'> &
  Readonly<{
    settings: Settings
    evidence: Evidence
    past: PastCooldowns
    /** What an answered request for a model costs in a group, on the average. */
    quotaOf: (group: string, model: string) => number
    /** Lets others have their turn where that is due; throws once nobody waits for the answer. */
    rest: () => Promise<void>
  }>

/** Requests that find the same channels in the same way. */
type Cell = {
  readonly group: string
  readonly call: PastCall
  readonly promptTokens: number
  readonly passedOver: ReadonlyMap<number, PastObstacle>
  /** By hour of the clock: requests, and those that fail for what their caller sent. */
  readonly hours: Map<number, { plain: number; callers: number }>
}

/** What would become of requests in a world: each is led through it by the relay's own route. */
export async function replayIn(
  deps: WorldReplayDeps,
  world: ReplayWorld,
  calls: readonly PastCall[],
  tally: ReplayTally,
): Promise<void> {
  const budget = newBudget()
  for (const cell of (await cellsOf(deps, world, calls)).values()) await count(deps, world, cell, tally, budget)
}

async function cellsOf(
  deps: WorldReplayDeps,
  world: ReplayWorld,
  calls: readonly PastCall[],
): Promise<Map<string, Cell>> {
  const cells = new Map<string, Cell>()
  const limits = [...new Set([...world.channels.values()].map(({ maxInputTokens }) => maxInputTokens))].sort(
    (a, b) => a - b,
  )
  for (const [place, call] of calls.entries()) {
    if (place % TURN === 0) await deps.rest()
    const group = groupIn(world, deps.settings, call)
    const passedOver = deps.past.at(call.model, call.at)
    // Two prompts that exceed the same limits are alike.
    const longest = limits.findLast((limit) => limit < call.promptTokens)
    const promptTokens = longest === undefined ? 0 : longest + 1
    const key = [group, call.model, call.endpoint, promptTokens, obstaclesIn(passedOver)].join('\n')
    const cell = cells.get(key) ?? { group, call, promptTokens, passedOver, hours: new Map() }
    cells.set(key, cell)
    const hour = hourAt(call.at)
    const counted = cell.hours.get(hour) ?? { plain: 0, callers: 0 }
    cell.hours.set(hour, counted)
    counted[call.isCallers ? 'callers' : 'plain'] += call.times
  }
  return cells
}

const TURN = 50

const obstaclesIn = (passedOver: ReadonlyMap<number, PastObstacle>): string =>
  [...passedOver].map(([id, obstacle]) => `${id} ${obstacle === 'full' ? obstacle : obstacle.kind}`).join(',')

/** What one request of a cell means for a channel, in parts of a request. */
type Part = { attempts: number; first: number; failed: number; answered: number; unsure: number }

async function count(
  deps: WorldReplayDeps,
  world: ReplayWorld,
  cell: Cell,
  tally: ReplayTally,
  budget: ReturnType<typeof newBudget>,
): Promise<void> {
  const { group, call, hours } = cell
  const parts = new Map<ActiveChannel['id'], Part>()
  const ends = await endsOf(deps, world, cell, budget, (step) => addStep(parts, step))
  const plain = [...hours.values()].reduce((sum, one) => sum + one.plain, 0)
  const callers = [...hours.values()].reduce((sum, one) => sum + one.callers, 0)
  for (const [id, part] of parts) {
    for (const [hour, times] of hours)
      tally.sent(id, hour, {
        attempts: times.plain * part.attempts + times.callers * part.first,
        failed: times.plain * part.failed + times.callers * part.first,
        unsure: times.plain * part.unsure,
      })
    tally.answered(id, deps.evidence.odds(id, call.model).times, plain * part.answered)
  }
  const answered = plain * ends.answered
  tally.ended({
    answered,
    failed: plain * ends.failed + callers * (1 - ends.noChannel),
    noChannel: (plain + callers) * ends.noChannel,
    quota: answered * deps.quotaOf(group, call.model),
  })
}

function addStep(parts: Map<number, Part>, { channel, chance, odds, isFirst }: WayStep): void {
  const part = parts.get(channel.id) ?? { attempts: 0, first: 0, failed: 0, answered: 0, unsure: 0 }
  parts.set(channel.id, part)
  const failed = odds.goesOn + odds.ends
  part.attempts += chance
  part.failed += chance * failed
  part.answered += chance * (1 - failed)
  if (isFirst) part.first += chance
  if (!odds.isSure) part.unsure += chance
}

const NOBODY: Ends = { answered: 0, failed: 0, noChannel: 1 }

async function endsOf(
  deps: WorldReplayDeps,
  { routes, retryTimes }: ReplayWorld,
  { group, call, promptTokens, passedOver }: Cell,
  budget: ReturnType<typeof newBudget>,
  onStep: (step: WayStep) => void,
): Promise<Ends> {
  const tiers = routes.tiers(group, call.model)
  if (tiers.length === 0) return NOBODY
  const routed = { ...deps, cooldowns: cooldownsOf(passedOver), inFlight: placesOf(passedOver) }
  const asked = bareCall(call.model, call.endpoint, promptTokens)
  const plan = { group, tiers, forced: null }
  const steps: WayStep[] = []
  try {
    const ends = await walkAll({
      begin: (choose) =>
        new Route(routed, asked, plan, { attempts: [], skipped: [] }, undefined, { choose, promptTokens, retryTimes }),
      odds: (channel) => deps.evidence.odds(channel.id, call.model),
      onStep: (step) => steps.push(step),
      budget,
      rest: deps.rest,
    })
    for (const step of steps) onStep(step)
    return ends
  } catch (refusal) {
    // A channel whose model mapping runs in a circle refuses what comes to it.
    if (!(refusal instanceof GatewayError)) throw refusal
    return NOBODY
  }
}

/** What cooled down at the moment; nothing that is replayed begins or ends a cooldown. */
function cooldownsOf(passedOver: ReadonlyMap<number, PastObstacle>): Cooldowns {
  const of = (id: number) => {
    const obstacle = passedOver.get(id)
    return obstacle === 'full' ? undefined : obstacle
  }
  return {
    of,
    ofKey: () => undefined,
    moment: () => ({
      nowMs: 0,
      active(id) {
        const cooldown = of(id)
        return cooldown && { ...cooldown, untilMs: cooldown.seconds * 1000 }
      },
    }),
    asked: nothing,
    failed: nothing,
    answered: nothing,
    served: nothing,
    list: () => [],
    clear: nothing,
  }
}

const placesOf = (passedOver: ReadonlyMap<number, PastObstacle>): InFlight => ({
  isFull: ({ id }) => passedOver.get(id) === 'full',
  enter: nothing,
  leave: nothing,
})

const nothing = () => {}
