/**
 * Ratios by model name (docs/reference/billing.md#built-in-prices); the first match applies. This is the oracle's own
 * copy in its own notation. All conditions joined by `&` must hold.
 */
export type NamedRatio = readonly [conditions: string, ratio: string]

/** Default 1 (docs/reference/billing.md#built-in-prices). */
export const completionRatios: readonly NamedRatio[] = [
  ['ends -all', '2'],
  ['ends -gizmo-*', '2'],
  ['is gpt-4o-2024-05-13', '3'],
  ['begins gpt-4o-mini-tts', '20'],
  ['begins gpt-4o', '4'],
  ['begins gpt-4.1', '4'],
  ['begins gpt-4.5-preview', '2'],
  ['begins gpt-4-turbo', '3'],
  ['ends gpt-4-1106', '3'],
  ['ends gpt-4-1105', '3'],
  ['begins gpt-4-1106', '3'],
  ['begins gpt-4-0125', '3'],
  ['begins gpt-4-vision', '3'],
  ['begins gpt-4', '2'],
  ['begins gpt-5.4-nano', '6.25'],
  ['begins gpt-5.4', '6'],
  ['begins gpt-5.1', '8'],
  ['begins gpt-5.2', '8'],
  ['begins gpt-5.3', '8'],
  ['is gpt-5.6', '5'],
  ['begins gpt-5.6-sol', '5'],
  ['begins gpt-5 & has .', '6'],
  ['begins gpt-5', '8'],
  ['begins gpt-6', '5'],
  ['begins gpt-realtime & has -mini', '4'],
  ['begins gpt-realtime-2', '6'],
  ['begins gpt-realtime', '4'],
  ['begins gpt-audio', '4'],
  ['begins o1', '4'],
  ['begins o3', '4'],
  ['begins o4', '4'],
  ['is chatgpt-4o-latest', '3'],
  ['has claude-3', '5'],
  ['has claude-sonnet-4', '5'],
  ['has claude-opus-4', '5'],
  ['has claude-haiku-4', '5'],
  ['has claude-instant-1', '3'],
  ['has claude-2', '3'],
  ['has claude-fable', '5'],
  ['has claude-mythos', '5'],
  ['has claude-opus', '5'],
  ['has claude-sonnet', '5'],
  ['has claude-haiku', '5'],
  ['is gpt-3.5-turbo', '3'],
  ['begins gpt-3.5 & ends 0125', '3'],
  ['begins gpt-3.5 & ends 1106', '2'],
  ['begins gpt-3.5', '1.3333333333'],
  ['begins gpt-', '5'],
  ['begins mistral-medium', '5'],
  ['begins mistral-', '3'],
  ['begins gemini-1.5', '4'],
  ['begins gemini-2.0', '4'],
  ['begins gemini-2.5-pro', '8'],
  ['begins gemini-2.5-flash-preview & ends -nothinking', '4'],
  ['begins gemini-2.5-flash-preview', '23.3333333333'],
  ['begins gemini-2.5-flash-lite', '4'],
  ['begins gemini-2.5-flash', '8.3333333333'],
  ['begins gemini-robotics-er-1.5', '8.3333333333'],
  ['begins gemini-3-pro-image', '60'],
  ['begins gemini-3-pro', '6'],
  ['begins gemini-3-flash', '6'],
  ['begins gemini-3.1-', '6'],
  ['begins gemini-3.5-flash-lite', '8.3333333333'],
  ['begins gemini-3.5-flash', '6'],
  ['begins gemini-3 & has -pro', '6'],
  ['begins gemini-3', '5'],
  ['begins gemini-', '4'],
  ['is command-r', '3'],
  ['is command-r-plus', '5'],
  ['is command-r-08-2024', '4'],
  ['is command-r-plus-08-2024', '4'],
  ['begins command', '4'],
  ['isInAnyCase deepseek-chat', '4'],
  ['isInAnyCase deepseek-reasoner', '4'],
  ['begins deepseek-', '4'],
  ['begins grok-', '3'],
  ['begins kimi-', '5'],
  ['begins glm-5', '3.1428571429'],
  ['begins MiniMax-M', '4'],
  ['begins ERNIE-Speed-', '2'],
  ['begins ERNIE-Lite-', '2'],
  ['begins ERNIE-Character', '2'],
  ['begins ERNIE-Functions', '2'],
  ['is llama2-70b-4096', '1.25'],
  ['is llama3-8b-8192', '2'],
  ['is llama3-70b-8192', '1.3389830508'],
]

/** An empty condition matches every name (docs/reference/billing.md#audio). */
export const audioRatios: readonly NamedRatio[] = [
  ['ends gpt-4o-realtime-preview & has -realtime', '8'],
  ['has gpt-4o-mini-realtime-preview', '16.6666666667'],
  ['has -realtime', '20'],
  ['begins gpt-4o-audio-preview', '16'],
  ['begins gpt-4o-mini-audio-preview', '66.6666666667'],
  ['has -audio', '40'],
  ['', '20'],
]
export const audioCompletionRatios: readonly NamedRatio[] = [['', '2']]

/** Dollars per million tokens of audio input (docs/reference/billing.md#audio). */
export const audioDollars: readonly NamedRatio[] = [
  ['begins gemini-2.5-flash-preview-native-audio', '3.0'],
  ['begins gemini-2.5-flash-preview', '1.0'],
  ['begins gemini-2.5-flash-lite', '0.3'],
  ['begins gemini-2.5-flash', '1.0'],
  ['begins gemini-2.0-flash', '0.7'],
]

export const firstFit = (lines: readonly NamedRatio[], model: string): string | undefined =>
  lines.find(([conditions]) => conditions === '' || conditions.split(' & ').every((one) => fits(one, model)))?.[1]

function fits(condition: string, model: string): boolean {
  const [how = '', what = ''] = condition.split(' ')
  if (how === 'begins') return model.indexOf(what) === 0
  if (how === 'ends') return model.slice(-what.length) === what
  if (how === 'has') return model.split(what).length > 1
  return how === 'is' ? model === what : model.toLowerCase() === what.toLowerCase()
}
