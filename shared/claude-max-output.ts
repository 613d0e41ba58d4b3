/**
 * The maximum output of Claude models in tokens, including thinking: names in Anthropic's spelling, `*` as a
 * wildcard, the longest match wins (docs/reference/model-output-limits.md). The only copy of these figures.
 */
export const claudeMaxOutput: Readonly<Record<string, number>> = {
  'claude-fable-*': 128_000,
  'claude-mythos-*': 128_000,
  'claude-opus-5*': 128_000,
  'claude-sonnet-5*': 128_000,
  'claude-haiku-5*': 128_000,
  'claude-opus-4-8*': 128_000,
  'claude-opus-4-7*': 128_000,
  'claude-opus-4-6*': 128_000,
  'claude-sonnet-4-6*': 128_000,
  'claude-opus-4-5*': 64_000,
  'claude-sonnet-4*': 64_000,
  'claude-haiku-4*': 64_000,
  'claude-opus-4*': 32_000,
  'claude-3-7-*': 64_000,
  'claude-3-5-*': 8192,
  'claude-3-*': 4096,
  'claude-2*': 4096,
  'claude-instant*': 4096,
}
