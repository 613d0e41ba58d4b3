import type { WhatIfChange } from '../../../../shared/api/what-if.ts'
import { AUTO_GROUP } from '../../../accounts/groups.ts'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { othersTurn } from '../../../base/json-scan.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import type { ChannelRegistry } from '../../../channels/registry/channel-registry.ts'
import { createRoutingTable, type RoutingTable } from '../../../channels/registry/routing-table.ts'
import type { Settings } from '../../../settings/settings.ts'
import { autoGroup } from '../../admission/admit.ts'
import type { LoggedCall } from './logged-call.ts'

/** Channels and retries under which requests are replayed. */
export type ReplayWorld = Readonly<{
  channels: ReadonlyMap<number, ActiveChannel>
  routes: Pick<RoutingTable, 'tiers' | 'modelsOf'>
  retryTimes: number
}>

type Standing = Readonly<{ registry: ChannelRegistry; settings: Settings }>

/** Everything as it stands at this moment; what changes meanwhile changes nothing in it. */
export const worldNow = ({ registry, settings }: Standing): Promise<ReplayWorld> =>
  worldOf([...registry.all()], settings.get('RetryTimes'))

/** A world with channels changed, in the very table that the relay routes by. Refuses a change of a channel that there is not. */
export async function changedWorld(
  now: ReplayWorld,
  changes: readonly WhatIfChange[],
  retryTimes: number,
): Promise<ReplayWorld> {
  const byId = new Map(changes.map((change) => [change.id, change]))
  for (const { id } of changes) if (!now.channels.has(id)) throw refuse('missing', 'whatIf.unknown', { id })
  const channels = [...now.channels.values()].map((channel) => {
    const change = byId.get(channel.id)
    if (!change) return channel
    const { status = channel.status, weight = channel.weight, priority = channel.priority } = change
    return Object.freeze({ ...channel, status, weight, priority })
  })
  return worldOf(channels, retryTimes)
}

/** Channels entered in the table before others have their turn. */
const SLICE = 200

async function worldOf(channels: readonly ActiveChannel[], retryTimes: number): Promise<ReplayWorld> {
  const routes = createRoutingTable()
  for (let from = 0; from < channels.length; from += SLICE) {
    routes.replace([], channels.slice(from, from + SLICE))
    await othersTurn()
  }
  return { channels: new Map(channels.map((channel) => [channel.id, channel])), routes, retryTimes }
}

/** The group that a request would be routed in: the automatic one is looked for anew, as the relay does. */
export function groupIn(
  { routes }: ReplayWorld,
  settings: Settings,
  { groups, model }: Pick<LoggedCall, 'groups' | 'model'>,
): string {
  const { routed, token, account } = groups
  const isAutomatic = routed === AUTO_GROUP || (token || account) === AUTO_GROUP
  if (!isAutomatic) return routed || token || account
  try {
    return autoGroup({ settings, registry: routes }, account, model)
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal
    return routed
  }
}

/** A group and a model. */
export type Offer = Readonly<{ group: string; model: string }>

/** What is offered in one world and not in the other, by group and model. */
export function offeredOnlyIn(world: ReplayWorld, other: ReplayWorld): Offer[] {
  const groups = new Set([...world.channels.values()].flatMap((channel) => channel.groups))
  return [...groups].sort().flatMap((group) => {
    const there = new Set(other.routes.modelsOf(group))
    return world.routes.modelsOf(group).flatMap((model) => (there.has(model) ? [] : [{ group, model }]))
  })
}
