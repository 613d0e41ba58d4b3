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
const MOST_OF_ONE = 16 * MIB
const MOST_OF_ALL = 256 * MIB

/**
 * Remembers turns that nobody else keeps, as bytes outside the heap, for as long as their sockets are open and there is
 * room; the longest unused goes first, whose socket is then told that it must send everything again.
 */
export function createTurnMemory(most = MOST_OF_ALL): TurnMemory {
  const turns = new Map<object, KeptTurn>()
  let bytes = 0
  const forget = (owner: object) => {
    bytes -= turns.get(owner)?.items.length ?? 0
    turns.delete(owner)
  }
  return {
    keep(owner, id, items) {
      forget(owner)
      const text = Buffer.from(JSON.stringify(items))
      if (text.length > MOST_OF_ONE) return
      turns.set(owner, { id, items: text })
      bytes += text.length
      for (const [oldest] of turns) {
        if (bytes <= most) break
        forget(oldest)
      }
    },
    recall(owner, id) {
      const turn = turns.get(owner)
      // What was kept is what `keep` has written: a list of objects.
      return turn?.id === id ? (JSON.parse(turn.items.toString('utf8')) as JsonObject[]) : undefined
    },
    forget,
  }
}
