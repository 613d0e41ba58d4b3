import { channelStatus } from '../../../shared/enums.ts'
import type { ActiveChannel } from './active-channel.ts'
import { wildcardOf } from './model-name.ts'
import { type Tier, type TierMember, tierOf } from './picker.ts'

/** Which channels offer which model to which group (docs/reference/selection.md#routing-table). Results are frozen. */
interface RoutingTable {
  /**
   * The enabled channels that offer `model` to `group`, by descending priority, then by id; empty if there are none.
   */
  tiers(group: string, model: string): readonly Tier[]
  modelsOf(group: string): readonly string[]
  models(): readonly string[]
  /** Replaces channels with their current state; touches other channels only to insert next to them. */
  replace(before: readonly ActiveChannel[], after: readonly ActiveChannel[]): void
}

type Offers = Map<string, readonly Tier[]>
type Change = { gone: Set<number>; fresh: TierMember[] }

const none: readonly never[] = Object.freeze([])

export function createRoutingTable(): RoutingTable {
  const routes = new Map<string, Offers>()
  const names = new Map<string, readonly string[]>()
  let all: readonly string[] = none
  return {
    tiers(group, model) {
      const offers = routes.get(group)
      if (!offers) return none
      return offers.get(model) ?? offers.get(wildcardOf(model) ?? model) ?? none
    },
    modelsOf: (group) => names.get(group) ?? none,
    models: () => all,
    replace(before, after) {
      let hasNewNames = false
      for (const [group, changes] of changesBetween(before.filter(isOn), after.filter(isOn))) {
        const offers: Offers = routes.get(group) ?? new Map()
        const isChanged = [...changes].reduce(
          (other, [model, change]) => applied(offers, model, change) || other,
          false,
        )
        if (!isChanged) continue
        hasNewNames = true
        if (offers.size > 0) routes.set(group, offers)
        else routes.delete(group)
        if (offers.size > 0) names.set(group, sorted(offers.keys()))
        else names.delete(group)
      }
      if (hasNewNames) all = sorted(new Set([...names.values()].flat()))
    },
  }
}

const isOn = ({ status }: ActiveChannel): boolean => status === channelStatus.enabled

const sorted = (list: Iterable<string>): readonly string[] => Object.freeze([...list].sort())

function changesBetween(before: readonly ActiveChannel[], after: readonly ActiveChannel[]) {
  const changes = new Map<string, Map<string, Change>>()
  const each = ({ groups, models }: ActiveChannel, note: (change: Change) => void) => {
    for (const group of groups) {
      const ofGroup = changes.get(group) ?? new Map<string, Change>()
      changes.set(group, ofGroup)
      for (const model of models) {
        const change = ofGroup.get(model) ?? { gone: new Set(), fresh: [] }
        ofGroup.set(model, change)
        note(change)
      }
    }
  }
  for (const channel of before) each(channel, ({ gone }) => gone.add(channel.id))
  for (const channel of after) {
    const member = Object.freeze({ channel, weight: channel.weight })
    each(channel, ({ fresh }) => fresh.push(member))
  }
  return changes
}

/** Returns whether the model was added or removed. */
function applied(offers: Offers, model: string, change: Change): boolean {
  const previous = offers.get(model)
  const tiers = tiersAfter(previous ?? none, change)
  if (tiers.length > 0) offers.set(model, tiers)
  else offers.delete(model)
  return (previous !== undefined) !== tiers.length > 0
}

function tiersAfter(tiers: readonly Tier[], { gone, fresh }: Change): readonly Tier[] {
  const added = Map.groupBy(fresh, ({ channel }) => channel.priority)
  const remaining = tiers.flatMap((tier) => {
    const { priority, members } = tier
    const left = without(members, gone)
    const more = added.get(priority)
    added.delete(priority)
    if (left === members && !more) return [tier]
    return left.length > 0 || more ? [tierOf(priority, merged(left, more ?? none))] : []
  })
  if (added.size === 0) return Object.freeze(remaining)
  const created = [...added].map(([priority, members]) => tierOf(priority, merged(none, members)))
  return Object.freeze([...remaining, ...created].sort((a, b) => b.priority - a.priority))
}

/** Removes members from a list; returns the same list if none of them is in it. */
function without(members: readonly TierMember[], gone: ReadonlySet<number>): readonly TierMember[] {
  const [first] = gone
  if (first === undefined) return members
  if (gone.size > 1) {
    const left = members.filter(({ channel }) => !gone.has(channel.id))
    return left.length === members.length ? members : left
  }
  const at = indexOf(members, first)
  return members[at]?.channel.id === first ? members.toSpliced(at, 1) : members
}

/** Merges the lists by ascending id; the first is sorted already. */
function merged(members: readonly TierMember[], more: readonly TierMember[]): readonly TierMember[] {
  const [first] = more
  if (!first) return members
  if (more.length === 1) return members.toSpliced(indexOf(members, first.channel.id), 0, first)
  return [...members, ...more].sort((a, b) => a.channel.id - b.channel.id)
}

/** The index of an id in a list sorted by id, or where it would be inserted. */
function indexOf(members: readonly TierMember[], id: number): number {
  let low = 0
  let high = members.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((members[middle]?.channel.id ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}
