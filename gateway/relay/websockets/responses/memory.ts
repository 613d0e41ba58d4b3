import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../../base/json.ts'

/** A turn that a socket may go on from: the response's id, and all items up to its end as JSON. */
type KeptTurn = Readonly<{ id: string; items: Buffer }>

/** The last turn of each socket. */
export interface TurnMemory {
  /** Keeps a turn in place of the one before; none where it is longer than a socket may keep. */
  keep(owner: object, id: string, items: readonly JsonObject[]): void
  /** The items of the socket's last turn, if that is the one with this id. */
  recall(owner: object, id: string): readonly JsonObject[] | undefined
  forget(owner: object): void
}

const MIB = 1024 * 1024
const MAX_PER_USER = 16 * MIB
const MAX_TOTAL = 256 * MIB

/**
 * Remembers turns that nobody else keeps, as bytes outside the heap, for as long as their sockets are open and there is
 * room; the longest unused goes first, whose socket is then told that it must send everything again.
 */
export function createTurnMemory(most = MAX_TOTAL): TurnMemory {
  const turns = new LRUCache<object, KeptTurn>({
    maxSize: most,
    maxEntrySize: Math.min(most, MAX_PER_USER),
    sizeCalculation: ({ items }) => items.length,
  })
  const forget = (owner: object) => void turns.delete(owner)
  return {
    keep: (owner, id, items) => void turns.set(owner, { id, items: Buffer.from(JSON.stringify(items)) }),
    recall(owner, id) {
      const turn = turns.get(owner)
      // What was kept is what `keep` has written: a list of objects.
      return turn?.id === id ? (JSON.parse(turn.items.toString('utf8')) as JsonObject[]) : undefined
    },
    forget,
  }
}
