import OpenAI from 'openai'
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Response, ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses'
import {
  cityIn,
  citySchema,
  MAX_TOKENS,
  type Place,
  type Question,
  type Sdk,
  SYSTEM,
  type Understood,
  weather,
} from './question.ts'

const clientAt = ({ url, key }: Place) =>
  new OpenAI({ apiKey: `sk-${key}`, baseURL: `${url}/v1`, maxRetries: 0, logLevel: 'off' })

const statusOf = (error: unknown) => (error instanceof OpenAI.APIError ? error.status : undefined)

/** `openai`, Chat Completions. */
export function openaiChat(place: Place): Sdk {
  const { completions } = clientAt(place).chat
  const turn = async (question: Question, messages: ChatCompletionMessageParam[]) => {
    const body = { model: question.model, messages, ...chatOptions(question) }
    const options = { signal: question.signal }
    if (!question.stream) return completions.create(body, options)
    const stream = completions.stream({ ...body, stream_options: { include_usage: true } }, options)
    if (question.onText) stream.on('content', question.onText)
    return stream.finalChatCompletion()
  }
  return {
    name: 'openai, chat',
    dialect: 'openai',
    statusOf,
    async ask(question) {
      const messages: ChatCompletionMessageParam[] = [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: chatContent(question) },
      ]
      for (;;) {
        const { choices, usage } = await turn(question, messages)
        const message = choices[0]?.message
        const calls = message?.tool_calls ?? []
        if (!message || calls.length === 0) {
          const thoughts = message && 'reasoning_content' in message ? String(message.reasoning_content) : ''
          return {
            text: message?.content ?? '',
            thoughts,
            input: usage?.prompt_tokens,
            output: usage?.completion_tokens,
          }
        }
        messages.push(withoutParsed(message))
        for (const call of calls) {
          if (call.type !== 'function') continue
          const content = weather.run(cityIn(call.function.arguments))
          messages.push({ role: 'tool', tool_call_id: call.id, content })
        }
      }
    },
  }
}

function chatContent({ text, picture }: Question): string | ChatCompletionContentPart[] {
  if (!picture) return text
  const url = 'url' in picture ? picture.url : `data:${picture.mime};base64,${picture.data}`
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url } },
  ]
}

function chatOptions({ tools, json, thinks }: Question) {
  const { name, description, parameters } = weather
  return {
    max_completion_tokens: MAX_TOKENS,
    ...(tools
      ? { tools: [{ type: 'function' as const, function: { name, description, parameters: { ...parameters } } }] }
      : {}),
    ...(json
      ? {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: 'city', strict: true, schema: { ...citySchema } },
          },
        }
      : {}),
    ...(thinks ? { reasoning_effort: 'medium' as const } : {}),
  }
}

/** `openai`, Responses; the conversation continues with the items of the response. */
export function openaiResponses(place: Place): Sdk {
  const { responses } = clientAt(place)
  const turn = async (question: Question, input: ResponseInputItem[]): Promise<Response> => {
    const body = { model: question.model, input, ...responsesOptions(question) }
    const options = { signal: question.signal }
    if (!question.stream) return responses.create(body, options)
    const stream = responses.stream(body, options)
    stream.on('response.output_text.delta', ({ delta }) => question.onText?.(delta))
    return stream.finalResponse()
  }
  return {
    name: 'openai, responses',
    dialect: 'responses',
    statusOf,
    async ask(question): Promise<Understood> {
      const input: ResponseInputItem[] = [{ role: 'user', content: responsesContent(question) }]
      for (;;) {
        const { output, output_text: text, usage } = await turn(question, input)
        const calls = output.filter((item) => item.type === 'function_call')
        if (calls.length === 0) {
          const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
          return {
            text,
            thoughts: thoughts.map((part) => part.text).join(''),
            input: usage?.input_tokens,
            output: usage?.output_tokens,
          }
        }
        input.push(...output.map(asInput))
        for (const { call_id, arguments: json } of calls)
          input.push({ type: 'function_call_output', call_id, output: weather.run(cityIn(json)) })
      }
    },
  }
}

/** An output item as an input item of the next request, without what the SDK's helpers have added. */
function asInput(item: object): ResponseInputItem {
  const { parsed_arguments: _, ...rest } = { parsed_arguments: undefined, ...item }
  const content = 'content' in rest && Array.isArray(rest.content) ? { content: rest.content.map(withoutParsed) } : {}
  return { ...rest, ...content } as ResponseInputItem // every output item is also an input item
}

const withoutParsed = <T extends object>(said: T): T => {
  const { parsed: _, ...rest } = { parsed: undefined, ...said }
  return rest as T // without the member that the helper for streams has added
}

function responsesContent({ text, picture }: Question): string | ResponseInputContent[] {
  if (!picture) return text
  const image_url = 'url' in picture ? picture.url : `data:${picture.mime};base64,${picture.data}`
  return [
    { type: 'input_text', text },
    { type: 'input_image', image_url, detail: 'auto' },
  ]
}

function responsesOptions({ tools, json, thinks }: Question) {
  const { name, description, parameters } = weather
  return {
    instructions: SYSTEM,
    max_output_tokens: MAX_TOKENS,
    ...(tools
      ? { tools: [{ type: 'function' as const, name, description, parameters: { ...parameters }, strict: true }] }
      : {}),
    ...(json
      ? { text: { format: { type: 'json_schema' as const, name: 'city', strict: true, schema: { ...citySchema } } } }
      : {}),
    ...(thinks
      ? {
          reasoning: { effort: 'medium' as const, summary: 'auto' as const },
          store: false,
          include: ['reasoning.encrypted_content' as const],
        }
      : {}),
  }
}
