import Anthropic from '@anthropic-ai/sdk'
import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { citySchema, MAX_TOKENS, type Place, type Question, type Sdk, SYSTEM, weather } from './question.ts'

/** `@anthropic-ai/sdk`. */
export function anthropicMessages({ url, key }: Place): Sdk {
  const { messages: api } = new Anthropic({ apiKey: `sk-${key}`, baseURL: url, maxRetries: 0, logLevel: 'off' })
  const turn = async (question: Question, messages: MessageParam[]) => {
    const body = { model: question.model, messages, system: SYSTEM, ...optionsOf(question) }
    const options = { signal: question.signal }
    if (!question.stream) return api.create(body, options)
    const stream = api.stream(body, options)
    if (question.onText) stream.on('text', question.onText)
    return stream.finalMessage()
  }
  return {
    name: 'anthropic',
    dialect: 'anthropic',
    statusOf: (error) => (error instanceof Anthropic.APIError ? error.status : undefined),
    async ask(question) {
      const messages: MessageParam[] = [{ role: 'user', content: contentOf(question) }]
      for (;;) {
        const { content, usage, stop_reason } = await turn(question, messages)
        const results: ToolResultBlockParam[] = content.flatMap((block) =>
          block.type === 'tool_use'
            ? [{ type: 'tool_result', tool_use_id: block.id, content: weather.run(block.input as { city: string }) }] // conforms to the tool's own schema
            : [],
        )
        if (stop_reason !== 'tool_use' || results.length === 0) {
          const { input_tokens, cache_read_input_tokens: read, output_tokens } = usage
          return {
            text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
            thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
            input: input_tokens + (read ?? 0),
            output: output_tokens,
          }
        }
        messages.push({ role: 'assistant', content }, { role: 'user', content: results })
      }
    },
  }
}

function contentOf({ text, picture }: Question): string | ContentBlockParam[] {
  if (!picture) return text
  const source =
    'url' in picture
      ? { type: 'url' as const, url: picture.url }
      : { type: 'base64' as const, media_type: picture.mime as 'image/png', data: picture.data } // the test's own image
  return [
    { type: 'image', source },
    { type: 'text', text },
  ]
}

function optionsOf({ tools, json, thinks }: Question) {
  const { name, description, parameters } = weather
  return {
    max_tokens: MAX_TOKENS,
    ...(tools ? { tools: [{ name, description, input_schema: { ...parameters, required: ['city'] } }] } : {}),
    ...(json ? { output_config: { format: { type: 'json_schema' as const, schema: { ...citySchema } } } } : {}),
    ...(thinks ? { thinking: { type: 'enabled' as const, budget_tokens: 2048 } } : {}),
  }
}
