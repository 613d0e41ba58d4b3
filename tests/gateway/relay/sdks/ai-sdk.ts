import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, isStepCount, jsonSchema, type LanguageModel, Output, streamText, tool } from 'ai'
import {
  citySchema,
  MAX_TOKENS,
  type Place,
  type Question,
  type Sdk,
  SYSTEM,
  type Understood,
  weather,
} from './question.ts'

/** The Vercel AI SDK with the provider for each of the four dialects. */
export function aiSdks({ url, key }: Place): Sdk[] {
  const apiKey = `sk-${key}`
  const openai = createOpenAI({ apiKey, baseURL: `${url}/v1` })
  const anthropic = createAnthropic({ apiKey, baseURL: `${url}/v1` })
  const google = createGoogle({ apiKey, baseURL: `${url}/v1beta` })
  return [
    sdk('ai, openai chat', 'openai', (model) => openai.chat(model), { openai: { reasoningEffort: 'medium' } }),
    sdk('ai, openai responses', 'responses', (model) => openai.responses(model), {
      openai: { reasoningEffort: 'medium', reasoningSummary: 'auto', forceReasoning: true },
    }),
    sdk('ai, anthropic', 'anthropic', (model) => anthropic(model), {
      anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } },
    }),
    sdk('ai, google', 'gemini', (model) => google(model), {
      google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } },
    }),
  ]
}

type Thinking = Record<string, Record<string, string | boolean | { [key: string]: string | number | boolean }>>

function sdk(name: string, dialect: Sdk['dialect'], modelOf: (name: string) => LanguageModel, thinking: Thinking): Sdk {
  return {
    name,
    dialect,
    statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
    ask(question) {
      const options = {
        model: modelOf(question.model),
        instructions: SYSTEM,
        messages: [{ role: 'user' as const, content: contentOf(question) }],
        maxOutputTokens: MAX_TOKENS,
        maxRetries: 0,
        stopWhen: isStepCount(3),
        ...(question.signal ? { abortSignal: question.signal } : {}),
        ...(question.tools ? { tools: { weather: weatherTool } } : {}),
        ...(question.json ? { output: Output.object({ schema: jsonSchema({ ...citySchema }) }) } : {}),
        ...(question.thinks ? { providerOptions: thinking } : {}),
      }
      return question.stream ? streamed(options, question) : whole(options)
    },
  }
}

const weatherTool = tool({
  description: weather.description,
  inputSchema: jsonSchema<{ city: string }>({ ...weather.parameters, required: ['city'] }),
  execute: async (input) => weather.run(input),
})

type Options = Parameters<typeof generateText>[0] & Parameters<typeof streamText>[0]

async function whole(options: Options): Promise<Understood> {
  const { text, finalStep } = await generateText(options)
  const { reasoningText: thoughts = '', usage } = finalStep
  return { text, thoughts, input: usage.inputTokens, output: usage.outputTokens }
}

async function streamed(options: Options, { onText }: Question): Promise<Understood> {
  const result = streamText({ ...options, onError: () => {} })
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') onText?.(part.text)
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('aborted', 'AbortError')
  }
  const { usage, text, reasoningText: thoughts = '' } = await result.finalStep
  return { text, thoughts, input: usage.inputTokens, output: usage.outputTokens }
}

function contentOf({ text, picture }: Question) {
  if (!picture) return text
  const data = 'url' in picture ? new URL(picture.url) : picture.data
  return [
    { type: 'text' as const, text },
    { type: 'file' as const, data, mediaType: 'image/png' },
  ]
}
