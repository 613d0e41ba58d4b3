/** Factors for audio tokens heard. Built in (spec/relay.md §6.1). */
export const audioRatio: Readonly<Record<string, number>> = {
  'gpt-4o-audio-preview': 16,
  'gpt-4o-mini-audio-preview': 66.67,
  'gpt-4o-realtime-preview': 8,
  'gpt-4o-mini-realtime-preview': 16.67,
  'gpt-4o-mini-tts': 25,
}
