/** A request as reported by the child. */
export type Told = {
  readonly user: number
  readonly token: number
  readonly channel: number
  readonly step: number
  readonly final: number
  checkpoints: number
  end: 'none' | 'settled' | 'released'
}
type Moved = { readonly user: number; readonly amount: number; end: 'none' | 'done' | 'refused' }
type Changed = { readonly token: number; readonly delta: number; isDone: boolean }

/** The operations that one life of the child reported, in order, before it died. */
export interface Witness {
  readonly calls: ReadonlyMap<string, Told>
  readonly moves: ReadonlyMap<string, Moved>
  readonly changes: ReadonlyMap<string, Changed>
  /** Notes by name; true for those confirmed by a completed flush. */
  readonly notes: ReadonlyMap<string, boolean>
  /** Differences that the child itself found. */
  readonly complaints: string[]
  /** Operations reported as completed. */
  operations(): number
  /** True once the child has printed `word`. */
  hasSaid(word: string): boolean
  hear(line: string): void
}

/** Reads the output of one child: the lines of `storm-calls.ts` and `storm-movements.ts`. */
export function createWitness(): Witness {
  const calls = new Map<string, Told>()
  const moves = new Map<string, Moved>()
  const changes = new Map<string, Changed>()
  const notes = new Map<string, boolean>()
  const flushes = new Map<string, string[]>()
  const complaints: string[] = []
  const words = new Set<string>()
  let unsure: string[] = []
  let operations = 0
  const endOf = <T extends object>(map: Map<string, T>, id: string, change: Partial<T>) => {
    const found = map.get(id)
    if (found) Object.assign(found, change)
    else complaints.push(`${id} ended before it began`)
  }
  const begun: Record<string, (id: string, figures: readonly number[]) => void> = {
    M: (id, [user = 0, amount = 0]) => moves.set(id, { user, amount, end: 'none' }),
    T: (id, [token = 0, delta = 0]) => changes.set(id, { token, delta, isDone: false }),
    F: (id) => {
      flushes.set(id, unsure)
      unsure = []
    },
  }
  const done: Record<string, (id: string, figures: readonly number[]) => void> = {
    h: (id, [user = 0, token = 0, channel = 0, step = 0, final = 0]) =>
      calls.set(id, { user, token, channel, step, final, checkpoints: 0, end: 'none' }),
    c: (id) => endOf(calls, id, { checkpoints: (calls.get(id)?.checkpoints ?? 0) + 1 }),
    s: (id) => endOf(calls, id, { end: 'settled' }),
    r: (id) => endOf(calls, id, { end: 'released' }),
    x: () => {},
    d: () => {},
    m: (id) => endOf(moves, id, { end: 'done' }),
    q: (id) => endOf(moves, id, { end: 'refused' }),
    t: (id) => endOf(changes, id, { isDone: true }),
    n: (id) => {
      notes.set(id, false)
      unsure.push(id)
    },
    f: (id) => {
      for (const note of flushes.get(id) ?? []) notes.set(note, true)
    },
  }
  return {
    calls,
    moves,
    changes,
    notes,
    complaints,
    operations: () => operations,
    hasSaid: (word) => words.has(word),
    hear(line) {
      const [kind = '', id = '', ...figures] = line.split(' ')
      const numbers = figures.map(Number)
      if (kind === '!') complaints.push(line.slice(2))
      else if (begun[kind]) begun[kind](id, numbers)
      else if (done[kind]) {
        operations += 1
        done[kind](id, numbers)
      } else words.add(kind)
    },
  }
}
