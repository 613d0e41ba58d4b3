/** The two APIs in which vendors of OpenAI's kind take a conversation. */
export type ApiFormat = 'chat' | 'responses'

/**
 * What a model needs of them: one of the two alone, or Responses for some requests. `hosted-tools`: those with a tool that
 * the vendor runs; `tools`: those with any, unless they say that the model is not to think; `tools-and-effort`: those
 * with a tool that the vendor runs, or with any where they say anything of thinking.
 */
export type ApiFormatRule = ApiFormat | 'hosted-tools' | 'tools' | 'tools-and-effort'

/**
 * The first row that fits the upstream's name of a model, without a vendor before a slash and the mark of a tuned one,
 * counts; a model that none fits is asked as its caller asks.
 */
export type ApiFormatRow = readonly [pattern: RegExp, rule: ApiFormatRule]

/** The rows by vendor (docs/reference/conversion.md#chat-or-responses, which names the documents they follow). */
export const modelApiFormats = {
  openai: [
    [/^(gpt-4o[\w-]*-(audio|search)-preview|gpt-audio|gpt-[\d.]+-search-api|o1-(mini|preview))/, 'chat'],
    [/^(gpt-[5-9][\w.-]*-(pro|codex)|o\d-pro|o\d[\w-]*-deep-research)(?![a-z])/, 'responses'],
    [/^(codex-mini|computer-use-preview)/, 'responses'],
    [/^gpt-(5\.([6-9]|\d\d)|[6-9])(?![\w.-]*-chat)/, 'tools'],
    [/^gpt-5\.[45](?![\w.-]*-chat)/, 'tools-and-effort'],
    [/^(gpt-4o|gpt-4\.1(?!-nano)|gpt-5(?![\w.-]*-chat)|o3|o4-mini)(?![a-z])/, 'hosted-tools'],
  ],
  // Chat Completions is what its channels were always asked in; callers of Responses send tools that only OpenAI has.
  xai: [
    [/^grok-[\w.-]*multi-agent/, 'responses'],
    [/^/, 'chat'],
  ],
} as const satisfies Record<string, readonly ApiFormatRow[]>
