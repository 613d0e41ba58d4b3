/** The colour of a band; `none` is neutral. */
type BandColour = 'none' | 'green' | 'lime' | 'yellow' | 'orange' | 'red'

/**
 * Bands in ascending order: a value belongs to the first band whose limit it is below; a value that is below no limit
 * is red.
 */
export type BandSteps = readonly Readonly<{ below: number; colour: BandColour }>[]

/**
 * Response time of a channel's last test, in milliseconds; 0 is untested
 * (docs/reference/screens.md#formats-and-colors).
 */
export const responseTimeSteps: BandSteps = [
  { below: 1, colour: 'none' },
  { below: 1001, colour: 'green' },
  { below: 3001, colour: 'lime' },
  { below: 5001, colour: 'yellow' },
]

/** Duration of a request, in seconds (docs/reference/screens.md#formats-and-colors). */
export const useTimeSteps: BandSteps = [
  { below: 101, colour: 'green' },
  { below: 300, colour: 'orange' },
]

/** Time to the first token, in seconds (docs/reference/screens.md#formats-and-colors). */
export const firstTokenSteps: BandSteps = [
  { below: 3, colour: 'green' },
  { below: 10, colour: 'orange' },
]

export const bandOf = (value: number, steps: BandSteps): BandColour =>
  steps.find(({ below }) => value < below)?.colour ?? 'red'
