import type { TextKey } from '../../i18n.ts'

/** The settings of a message (docs/reference/screens.md#playground). */
export type PlaySettings = Readonly<{
  /** Empty for the account's group. */
  group: string
  model: string
  /** 0.1 to 1 in steps of 0.1. */
  temperature: number
  topP: number
  /** -2 to 2 in steps of 0.1; omitted if 0. */
  frequencyPenalty: number
  presencePenalty: number
  /** A whole number; omitted if 0. */
  maxTokens: number
  /** Sent as the first message; omitted if empty. */
  system: string
}>

/** Bounds and step of the temperature (docs/reference/screens.md#playground). */
export const temperatureRange = { min: 0.1, max: 1, step: 0.1 } as const

/** Bounds, steps and defaults of the advanced settings. */
export const fineRanges = {
  topP: { min: 0, max: 1, step: 0.05, usual: 1 },
  frequencyPenalty: { min: -2, max: 2, step: 0.1, usual: 0 },
  presencePenalty: { min: -2, max: 2, step: 0.1, usual: 0 },
} as const
export type FineSetting = keyof typeof fineRanges

/** Clamps and rounds a value, without binary fraction noise. */
export function boundFine(setting: FineSetting, value: number): number {
  const { min, max, step } = fineRanges[setting]
  return Math.min(Math.max(Number((Math.round(value / step) * step).toFixed(2)), min), max)
}

export const maxTokens = 1_000_000

export const systemText: TextKey = 'play.systemText'

/** Clamps and rounds a temperature, without binary fraction noise. */
export const boundTemperature = (value: number): number =>
  Math.min(Math.max(Math.round(value * 10) / 10, temperatureRange.min), temperatureRange.max)
