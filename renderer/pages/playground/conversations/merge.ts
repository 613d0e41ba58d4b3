import type { Entry } from '../conversation.ts'
import type { StoredConversation } from './stored-conversation.ts'

/** Two windows' versions of a conversation, and their common base. */
type Versions = Readonly<{ base: StoredConversation; ours: StoredConversation; theirs: StoredConversation }>

/**
 * Merges both versions. For a message that is in both, ours is used if it was changed here, else theirs; a message
 * removed in one window is removed, unless it was changed here. Unchanged messages are identical to those in `base`.
 */
export function merged({ base, ours, theirs }: Versions): StoredConversation {
  const isOurs = <Name extends 'title' | 'chosen'>(name: Name) => ours[name] !== base[name]
  const count = ours.lanes.length === base.lanes.length ? theirs.lanes.length : ours.lanes.length
  // A lane closed in one window stays if the other has added something to it.
  const isNeeded = (index: number) =>
    [ours, theirs].some(({ lanes }) => lanes[index]?.some((entry) => !has(base.lanes[index], entry)))
  const laneIndices = [0, 1].filter((index) => index < count || isNeeded(index))
  return {
    id: ours.id,
    title: isOurs('title') ? ours.title : theirs.title,
    chosen: isOurs('chosen') ? ours.chosen : theirs.chosen,
    changedAt: Math.max(ours.changedAt, theirs.changedAt),
    revision: theirs.revision,
    lanes: laneIndices.map((index) => {
      const before = base.lanes[index] ?? []
      return mergedLane(before, ours.lanes[index] ?? before, theirs.lanes[index] ?? before)
    }),
  }
}

function mergedLane(base: Lane, ours: Lane, theirs: Lane): Lane {
  const retained = ours.flatMap((entry) => {
    const isChanged = !base.includes(entry)
    const other = find(theirs, entry)
    if (isChanged) return [entry]
    return other ? [other] : []
  })
  const added = theirs.filter((entry) => !has(base, entry) && !has(ours, entry))
  // Ids increase with time, across windows.
  return [...retained, ...added].toSorted((one, other) => one.id - other.id)
}

type Lane = readonly Entry[]

const find = (lane: Lane | undefined, { id }: Entry): Entry | undefined => lane?.find((entry) => entry.id === id)
const has = (lane: Lane | undefined, entry: Entry): boolean => find(lane, entry) !== undefined
