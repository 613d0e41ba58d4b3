/** What a band is shown in; `none` is no judgement at all. */
type BandColour = 'none' | 'green' | 'lime' | 'yellow' | 'orange' | 'red'

/** Bands from the lowest up: a value is in the first band whose limit it is below; above all of them it is red. */
export type BandSteps = readonly Readonly<{ below: number; colour: BandColour }>[]

/**
 * How fast a channel answered its last test, in milliseconds; 0 is untested
 * (docs/reference/screens.md#formats-and-colours).
 */
export const responseTimeSteps: BandSteps = [
  { below: 1, colour: 'none' },
  { below: 1001, colour: 'green' },
  { below: 3001, colour: 'lime' },
  { below: 5001, colour: 'yellow' },
]

/** How long a request took, in seconds (docs/reference/screens.md#formats-and-colours). */
export const useTimeSteps: BandSteps = [
  { below: 101, colour: 'green' },
  { below: 300, colour: 'orange' },
]

/** How long its first token took, in seconds (docs/reference/screens.md#formats-and-colours). */
export const firstTokenSteps: BandSteps = [
  { below: 3, colour: 'green' },
  { below: 10, colour: 'orange' },
]

/** The colour of the band that a value is in. */
export const bandOf = (value: number, steps: BandSteps): BandColour =>
  steps.find(({ below }) => value < below)?.colour ?? 'red'
