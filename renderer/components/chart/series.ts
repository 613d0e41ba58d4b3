import type { ColourPlace } from './model-colours.ts'

/** One name of a chart, with a value at each of its points. */
export type Series = Readonly<{ name: string; colour: ColourPlace; values: readonly number[] }>

/** The custom property of a colour (chart.css). */
export const fillOf = (colour: ColourPlace): string => `var(--chart-${colour})`

/** What the parts of a point are, the largest first, without those that are nothing. */
export const partsAt = (series: readonly Series[], place: number) =>
  series
    .map(({ name, colour, values }) => ({ name, colour, value: values[place] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)

export const totalAt = (series: readonly Series[], place: number): number =>
  series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)
