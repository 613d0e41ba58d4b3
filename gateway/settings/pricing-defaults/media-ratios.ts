/** Ratios of audio output tokens, relative to audio input. Built in (docs/reference/billing.md#built-in-prices). */
export const audioCompletionRatio: Readonly<Record<string, number>> = {
  'gpt-4o-realtime': 2,
  'gpt-4o-mini-realtime': 2,
  'gpt-4o-mini-tts': 1,
  'tts-1': 0,
  'tts-1-hd': 0,
  'tts-1-1106': 0,
  'tts-1-hd-1106': 0,
  'gpt-realtime': 2,
  'gpt-audio': 2,
  'gemini-3.1-flash-live-preview': 4,
}

/** Ratios of audio input tokens. Built in (docs/reference/billing.md#built-in-prices). */
export const audioRatio: Readonly<Record<string, number>> = {
  'gpt-4o-audio-preview': 16,
  'gpt-4o-mini-audio-preview': 66.67,
  'gpt-4o-realtime-preview': 8,
  'gpt-4o-mini-realtime-preview': 16.67,
  'gpt-4o-mini-tts': 25,
  // OpenAI's model pages, or models.dev's copy of its prices, read 27 November 2026.
  'gpt-realtime': 8,
  'gpt-realtime-2.1-mini': 16.6666666667,
  'gpt-realtime-mini': 16.6666666667,
  'gpt-audio': 12.8,
  'gpt-audio-mini': 16.6666666667,
  'gpt-4o-transcribe': 1,
  'gpt-4o-mini-transcribe': 1,
  // Google's pricing page, or models.dev's copy of it, read 27 November 2026.
  'gemini-3-flash-preview': 2,
  'gemini-3.1-flash-live-preview': 4,
  'gemini-embedding-2': 32.5,
}

/** Ratios of image tokens. Built in (docs/reference/billing.md#built-in-prices). */
export const imageRatio: Readonly<Record<string, number>> = {
  'gpt-image-1': 2,
  'gpt-image-1-mini': 1.25,
  'gpt-image-1.5': 1.6,
  'chatgpt-image-latest': 1.6,
  'gpt-image-2': 1.6,
  'gpt-image-2-2026-04-21': 1.6,
  'gpt-image-2.5-sunburst': 1.6,
  'gpt-image-2.5-sunburst-2026-09-08': 1.6,
  'gpt-image-2.5-flare': 1.6,
  'gpt-image-2.5-flare-2026-09-08': 1.6,
  'gpt-image-2.6-sunburst': 1.6,
  'gpt-image-2.6-flare': 1.6,
  // OpenAI's model pages, or models.dev's copy of its prices, read 27 November 2026.
  'gpt-realtime': 1.25,
  'gpt-realtime-2025-08-28': 1.25,
  'gpt-realtime-1.5': 1.25,
  'gpt-realtime-2': 1.25,
  'gpt-realtime-2.1': 1.25,
  'gpt-realtime-2.1-mini': 1.3333333333,
  // Google's pricing page, or models.dev's copy of it, read 27 November 2026.
  'gemini-3.1-flash-live-preview': 1.3333333333,
  'gemini-embedding-2': 2.25,
}
