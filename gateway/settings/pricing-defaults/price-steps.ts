type Step = { above: number; input: number; output: number }

const stepped = (models: readonly string[], ...steps: Step[]) =>
  Object.fromEntries(models.map((model) => [model, steps]))

/** Price factors of long prompts, by vendor (docs/reference/billing.md#long-prompts). */
export const priceSteps: Record<string, Step[]> = {
  // OpenAI's model pages, read 27 November 2026.
  ...stepped(
    [
      ...['gpt-6.2-astra', 'gpt-6.2-sol', 'gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6-astra', 'gpt-6-sol', 'gpt-6-luna'],
      ...['gpt-5.6', 'gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-5.5', 'gpt-5.5-pro'],
      ...['gpt-5.4', 'gpt-5.4-2026-03-05', 'gpt-5.4-pro', 'gpt-5.4-pro-2026-03-05'],
    ],
    { above: 272_000, input: 2, output: 1.5 },
  ),
  // Anthropic's pricing page, read 27 November 2026.
  'claude-haiku-5-5': [{ above: 100_000, input: 5, output: 5 }],
  ...stepped(['claude-sonnet-4-20250514', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'], {
    above: 200_000,
    input: 2,
    output: 1.5,
  }),
  // Google's pricing page as listed by models.dev, read 27 November 2026.
  ...stepped(
    [
      ...['gemini-2.5-pro', 'gemini-2.5-pro-preview-03-25', 'gemini-2.5-pro-thinking-*'],
      ...['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
    ],
    { above: 200_000, input: 2, output: 1.5 },
  ),
  // xAI's, MiniMax's and Alibaba's international prices as listed by models.dev and others, read 27 November 2026.
  ...stepped(['grok-4.7', 'grok-4.6', 'grok-4.5', 'grok-4.3'], { above: 199_999, input: 2, output: 2 }),
  'MiniMax-M3': [{ above: 512_000, input: 2, output: 2 }],
  'qwen3-max': [
    { above: 32_000, input: 2, output: 2 },
    { above: 128_000, input: 2.5, output: 2.5 },
  ],
  'qwen-plus': [{ above: 256_000, input: 3, output: 3 }],
  'qwen3.5-plus': [{ above: 256_000, input: 1.25, output: 1.25 }],
}
