/** Factors for audio tokens spoken, on top of the audio ratio. Built in (spec/relay.md §6.1). */
export const audioCompletionRatio: Readonly<Record<string, number>> = {
  'gpt-4o-realtime': 2,
  'gpt-4o-mini-realtime': 2,
  'gpt-4o-mini-tts': 1,
  'tts-1': 0,
  'tts-1-hd': 0,
  'tts-1-1106': 0,
  'tts-1-hd-1106': 0,
}
