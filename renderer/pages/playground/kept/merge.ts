import type { Entry } from '../conversation.ts'
import type { KeptConversation } from './kept-conversation.ts'

/** One conversation as two windows have it, and as it was when both had the same. */
export type Versions = Readonly<{ base: KeptConversation; ours: KeptConversation; theirs: KeptConversation }>

/**
 * The conversation with what was said in both windows. Of a message that both have, the one that was changed here counts,
 * else theirs; what one window took away goes, unless it was changed here. A message that was not changed is the very same
 * object as in `base`.
 */
export function merged({ base, ours, theirs }: Versions): KeptConversation {
  const isOurs = <Name extends 'title' | 'chosen'>(name: Name) => ours[name] !== base[name]
  const count = ours.lanes.length === base.lanes.length ? theirs.lanes.length : ours.lanes.length
  // A lane that was closed in one window stays where the other has said something new in it.
  const isNeeded = (place: number) =>
    [ours, theirs].some(({ lanes }) => lanes[place]?.some((entry) => !has(base.lanes[place], entry)))
  const places = [0, 1].filter((place) => place < count || isNeeded(place))
  return {
    id: ours.id,
    title: isOurs('title') ? ours.title : theirs.title,
    chosen: isOurs('chosen') ? ours.chosen : theirs.chosen,
    changedAt: Math.max(ours.changedAt, theirs.changedAt),
    revision: theirs.revision,
    lanes: places.map((place) => {
      const before = base.lanes[place] ?? []
      return mergedLane(before, ours.lanes[place] ?? before, theirs.lanes[place] ?? before)
    }),
  }
}

function mergedLane(base: Lane, ours: Lane, theirs: Lane): Lane {
  const kept = ours.flatMap((entry) => {
    const isChanged = !base.includes(entry)
    const other = find(theirs, entry)
    if (isChanged) return [entry]
    return other ? [other] : []
  })
  const added = theirs.filter((entry) => !has(base, entry) && !has(ours, entry))
  // Ids rise with time, in every window.
  return [...kept, ...added].toSorted((one, other) => one.id - other.id)
}

type Lane = readonly Entry[]

const find = (lane: Lane | undefined, { id }: Entry): Entry | undefined => lane?.find((entry) => entry.id === id)
const has = (lane: Lane | undefined, entry: Entry): boolean => find(lane, entry) !== undefined
