import type { ColourIndex } from './model-colours.ts'

export type Series = Readonly<{ name: string; colour: ColourIndex; values: readonly number[] }>

export const fillOf = (colour: ColourIndex): string => `var(--chart-${colour})`

export const partsAt = (series: readonly Series[], index: number) =>
  series
    .map(({ name, colour, values }) => ({ name, colour, value: values[index] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)

export const totalAt = (series: readonly Series[], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
