import { LRUCache } from 'lru-cache'
import { yieldToOthers } from '../../../base/fair-yield.ts'
import { type JsonObject, objectIn, parsed } from '../../../base/json/json.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { writeJson } from '../../../base/json/json-write.ts'
import type { MemoryShare } from '../../intake/body-memory.ts'
import { unstored } from '../../stored/content.ts'

/**
 * Items of a turn as JSON, without brackets: as they are, and as sent in a turn that stores nothing; the same buffer if
 * equal.
 */
type Part = Readonly<{ text: Buffer; bare: Buffer }>
/** All items up to the end of a turn. A following turn shares its parts without parsing or serializing them again. */
export type StoredItems = readonly Part[]

/** New items, to be appended to others; serialized in slices if large. */
export async function storedItems(items: readonly JsonObject[], isLarge = false): Promise<StoredItems> {
  if (items.length === 0) return []
  const text = await textOf(items, isLarge)
  const unkept = items.flatMap(unstored)
  if (isLarge) await yieldToOthers()
  const bare = await textOf(unkept, isLarge)
  return [{ text, bare: bare.equals(text) ? text : bare }]
}

/**
 * The output of a running turn, item by item as JSON. It is dropped once it is longer than a socket may store, or the
 * memory for responses is taken.
 */
export class TurnOutput {
  readonly #share: MemoryShare
  #items: Buffer[] | undefined = []
  #length = 0

  constructor(share: MemoryShare) {
    this.#share = share
  }

  get isLarge(): boolean {
    return this.#length > LARGE
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  add(item: JsonObject): void {
    if (!this.#items) return
    const text = Buffer.from(JSON.stringify(item))
    this.#length += text.length + PART_BYTES
    if (this.#length <= MAX_STORED_MIB * MIB && this.#isGranted()) this.#items.push(text)
    else this.drop()
  }

  drop(): void {
    this.#items = undefined
    this.#share.giveBack()
  }

  /** The items to be stored, parsed one after another; undefined if they were dropped. */
  async stored(): Promise<StoredItems | undefined> {
    const items = this.#items
    if (!items || items.length === 0) return items && []
    const bare: Buffer[] = []
    let read = 0
    for (const item of items) {
      for (const own of unstored(objectIn(parsed(item.toString())))) bare.push(Buffer.from(JSON.stringify(own)))
      read += item.length
      if (read < STEP || !this.isLarge) continue
      await yieldToOthers()
      read = 0
    }
    const [text, bareText] = [listed(items), listed(bare)]
    return [{ text, bare: bareText.equals(text) ? text : bareText }]
  }

  #isGranted(): boolean {
    try {
      this.#share.grow(this.#length)
      return true
    } catch {
      return false
    }
  }
}

const listed = (pieces: readonly Buffer[]): Buffer =>
  Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece])))

async function textOf(items: readonly JsonObject[], isLarge: boolean): Promise<Buffer> {
  if (!isLarge) return Buffer.from(JSON.stringify(items).slice(1, -1))
  const pieces: Buffer[] = []
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) pieces.push(COMMA)
    pieces.push((await writeJson(items.slice(at, at + PIECE), true)).subarray(1, -1))
  }
  return Buffer.concat(pieces)
}

/** Items serialized before yielding; long texts in them yield separately. */
const PIECE = 5000
/** Bytes of a turn's output parsed before yielding. */
const STEP = 64 * 1024

/** The items as sent in a turn that stores nothing. */
export const bareItems = (items: StoredItems): StoredItems =>
  items.every(({ text, bare }) => text === bare)
    ? items
    : items.filter(({ bare }) => bare.length > 0).map(({ bare }) => ({ text: bare, bare }))

export function listOf(items: StoredItems): Buffer {
  return Buffer.concat([OPEN, listed(items.map(({ text }) => text)), CLOSE])
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

type StoredTurn = Readonly<{ id: string; items: StoredItems }>

export interface LastTurn {
  /** Stores a turn in place of the previous one; returns false, with none stored, if it exceeds a socket's limit. */
  keep(id: string, items: StoredItems): boolean
  /** The items of the last turn, if it has this id. */
  recall(id: string): StoredItems | undefined
  forget(): void
}

export interface TurnMemory {
  /** Returns the empty memory of a new socket. */
  forSocket(accountId: number): LastTurn
}

const MIB = 1024 * 1024
export const MAX_STORED_MIB = 16
const MAX_TOTAL = 256 * MIB

/**
 * Remembers turns off-heap, while their sockets are open and up to a limit. Beyond it, evicts the least recently used
 * turn of the account that uses the most; the next turn that continues the evicted one must send everything again.
 */
export function createTurnMemory(max = MAX_TOTAL): TurnMemory {
  const accounts = new Map<number, LRUCache<object, StoredTurn>>()
  const total = () => [...accounts.values()].reduce((sum, turns) => sum + turns.calculatedSize, 0)
  const evictOne = () => {
    const [id, turns] = [...accounts].reduce((most, each) =>
      each[1].calculatedSize > most[1].calculatedSize ? each : most,
    )
    turns.pop()
    if (turns.size === 0) accounts.delete(id)
  }
  return {
    forSocket(accountId) {
      const socket = {}
      const forget = () => {
        const turns = accounts.get(accountId)
        turns?.delete(socket)
        if (turns?.size === 0) accounts.delete(accountId)
      }
      return {
        keep(id, items) {
          forget()
          const size = sizeOf(items)
          if (size > Math.min(max, MAX_STORED_MIB * MIB)) return false
          const turns = accounts.get(accountId) ?? new LRUCache<object, StoredTurn>({ maxSize: max })
          accounts.set(accountId, turns.set(socket, { id, items }, { size }))
          while (total() > max) evictOne()
          return true
        },
        recall(id) {
          const turn = accounts.get(accountId)?.get(socket)
          return turn?.id === id ? turn.items : undefined
        },
        forget,
      }
    },
  }
}

/** Bytes of overhead per part, which also limits turns of many small ones. */
const PART_BYTES = 256
const LIST_BYTES = 2

function sizeOf(items: StoredItems): number {
  let size = LIST_BYTES
  for (const { text, bare } of items) size += PART_BYTES + text.length + (bare === text ? 0 : bare.length)
  return size
}
