import type { TextKey } from '../../i18n.ts'

/** What a message is sent with (docs/reference/screens.md#playground). */
export type PlaySettings = Readonly<{
  /** Empty is the group of the account. */
  group: string
  model: string
  /** 0.1 to 1 in steps of 0.1. */
  temperature: number
  /** 0 to 1 in steps of 0.05; 1 sends none. */
  topP: number
  /** -2 to 2 in steps of 0.1; 0 sends none. */
  frequencyPenalty: number
  presencePenalty: number
  /** A whole number; 0 sends none. */
  maxTokens: number
  /** Sent as the first message; empty sends none. */
  system: string
}>

/** The bounds of the temperature (docs/reference/screens.md#playground). */
export const temperatureRange = { min: 0.1, max: 1, step: 0.1 } as const

/** The bounds of the settings that most leave alone, what they are then, and how finely they are set. */
export const fineRanges = {
  topP: { min: 0, max: 1, step: 0.05, usual: 1 },
  frequencyPenalty: { min: -2, max: 2, step: 0.1, usual: 0 },
  presencePenalty: { min: -2, max: 2, step: 0.1, usual: 0 },
} as const
export type FineSetting = keyof typeof fineRanges

/** Within its bounds, free of the noise of binary fractions. */
export function boundFine(setting: FineSetting, value: number): number {
  const { min, max, step } = fineRanges[setting]
  return Math.min(Math.max(Number((Math.round(value / step) * step).toFixed(2)), min), max)
}

/** The most that a limit on an answer may be. */
export const maxTokens = 1_000_000

/** The model to start with, where there is such a one. */
export const usualModel = 'gpt-4o-mini'

/** The system prompt to start with. */
export const systemText: TextKey = 'play.systemText'

/** A temperature that the gateway takes, free of the noise of binary fractions. */
export const boundTemperature = (value: number): number =>
  Math.min(Math.max(Math.round(value * 10) / 10, temperatureRange.min), temperatureRange.max)
