/** A word found in a text: its end offset in the piece read last; `end - length` may be negative. */
type Hit = Readonly<{ word: string; end: number }>

/** Searches for all words at once. Lengths are in UTF-16 units. */
export interface WordList {
  /** Searches a single text; returns the word that ends first, or the longest of several that end there. */
  find(text: string): string | undefined
  reader(): WordReader
}

export interface WordReader {
  /** Reads up to the first complete word. */
  read(piece: string): Hit | undefined
  /** Returns the length of the end of the text that may be the beginning of a word. */
  pending(): number
}

/**
 * Searches literally and case-insensitively for many words in one pass (Aho and Corasick, "Efficient String Matching",
 * 1975), so that neither the number of words nor their form slows down a text. Undefined without words.
 */
export function createWordList(words: readonly string[]): WordList | undefined {
  const nonEmpty = words.filter((word) => word !== '')
  if (nonEmpty.length === 0) return undefined
  const fold = foldingTable()
  const automaton = build(nonEmpty, fold)
  return {
    find: (text) => createReader(automaton, fold).read(text)?.word,
    reader: () => createReader(automaton, fold),
  }
}

type Automaton = Readonly<{
  /** The states after the first unit of a word, 0 for units that begin none. */
  starts: Uint32Array
  /** Maps state * 65536 + folded unit to the next state. */
  edges: ReadonlyMap<number, number>
  /** The state to continue from if a state has no edge: that of its text's longest suffix that begins a word. */
  fallbacks: Uint32Array
  depths: Uint32Array
  ends: readonly (string | undefined)[]
}>

const UNITS = 65_536

/**
 * Folds units individually, since the lower case of a text may have another length, or depend on neighboring
 * characters.
 */
function foldingTable(): Uint16Array {
  const table = new Uint16Array(UNITS)
  for (let unit = 0; unit < UNITS; unit += 1) {
    const lower = String.fromCharCode(unit).toLowerCase()
    table[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit
  }
  return table
}

function build(words: readonly string[], fold: Uint16Array): Automaton {
  const max = words.reduce((sum, { length }) => sum + length, 1)
  const edges = new Map<number, number>()
  const [depths, fallbacks] = [new Uint32Array(max), new Uint32Array(max)]
  const ends: (string | undefined)[] = [undefined]
  const origins: [parent: number, unit: number][] = [[0, 0]]
  for (const word of words) {
    let state = 0
    for (const unit of unitsOf(word, fold)) {
      const known = edges.get(state * UNITS + unit)
      const next = known ?? origins.push([state, unit]) - 1
      if (known === undefined) edges.set(state * UNITS + unit, next)
      depths[next] = (depths[state] ?? 0) + 1
      state = next
    }
    ends[state] ??= word
  }
  const byDepth = origins.map((_, state) => state).sort((one, other) => (depths[one] ?? 0) - (depths[other] ?? 0))
  for (const state of byDepth) {
    const [parent, unit] = origins[state] ?? [0, 0]
    const fallback = parent === 0 ? 0 : after(edges, fallbacks, fallbacks[parent] ?? 0, unit)
    fallbacks[state] = fallback
    ends[state] ??= ends[fallback]
  }
  const starts = new Uint32Array(UNITS)
  for (let unit = 0; unit < UNITS; unit += 1) starts[unit] = edges.get(fold[unit] ?? unit) ?? 0
  return { starts, edges, fallbacks, depths, ends }
}

const unitsOf = (word: string, fold: Uint16Array): number[] =>
  Array.from({ length: word.length }, (_, at) => fold[word.charCodeAt(at)] ?? 0)

function after(edges: ReadonlyMap<number, number>, fallbacks: Uint32Array, from: number, unit: number): number {
  for (let state = from; ; state = fallbacks[state] ?? 0) {
    const next = edges.get(state * UNITS + unit)
    if (next !== undefined || state === 0) return next ?? 0
  }
}

function createReader({ starts, edges, fallbacks, depths, ends }: Automaton, fold: Uint16Array): WordReader {
  let state = 0
  return {
    read(piece) {
      for (let at = 0; at < piece.length; at += 1) {
        const unit = piece.charCodeAt(at)
        state = (state === 0 ? starts[unit] : after(edges, fallbacks, state, fold[unit] ?? unit)) ?? 0
        const word = state === 0 ? undefined : ends[state]
        if (word !== undefined) return { word, end: at + 1 }
      }
      return undefined
    },
    pending: () => depths[state] ?? 0,
  }
}
