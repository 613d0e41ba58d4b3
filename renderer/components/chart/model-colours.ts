/** Index into the chart palette (chart.css); 20 is the grey of the remainder. */
export type ColourIndex = number

/** Sizes of the small and the full palette. */
const SMALL_PALETTE = 10
const ALL = 20
/** The colour of the remainder. */
export const REST: ColourIndex = ALL

/** Preferred colours of common names, unless an earlier name has taken them. */
const common: Readonly<Record<string, ColourIndex>> = {
  'gpt-4o': 0,
  'gpt-4o-mini': 4,
  'gpt-4.1': 6,
  'gpt-4.1-mini': 3,
  'gpt-5': 2,
  'gpt-5-mini': 9,
  'o3-mini': 10,
  'claude-3-5-sonnet-20241022': 1,
  'claude-3-7-sonnet-20250219': 5,
  'claude-sonnet-4-20250514': 7,
  'gemini-2.0-flash': 10,
  'gemini-2.5-pro': 14,
  'deepseek-chat': 8,
  'deepseek-reasoner': 17,
}

/**
 * Assigns each name a colour (docs/reference/dashboard.md#charts): its fixed one, else one by its hash, for names of up
 * to ten characters from the small palette; the next free one if that is taken. Earlier names choose first. Only the
 * first twenty names get one.
 */
export function coloursOf(names: readonly string[]): ReadonlyMap<string, ColourIndex> {
  const taken = new Set<ColourIndex>()
  const colours = new Map<string, ColourIndex>()
  for (const name of names.slice(0, ALL)) {
    const wanted = common[name] ?? hashOf(name) % (name.length <= SMALL_PALETTE ? SMALL_PALETTE : ALL)
    let colour = wanted
    while (taken.has(colour)) colour = (colour + 1) % ALL
    taken.add(colour)
    colours.set(name, colour)
  }
  return colours
}

function hashOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index += 1) hash = (hash * 31 + name.charCodeAt(index)) | 0
  return Math.abs(hash)
}
