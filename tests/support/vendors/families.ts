import type { Recorded, Script } from '../upstream.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Vendor } from './vendor.ts'

/** A family of upstreams: its display name, channel and model, and the vendor for a request. */
export type Family = Readonly<{
  label: string
  model: string
  channel: Readonly<{ type: number; key: string; setting?: string }>
  vendorOf(request: Recorded): Vendor
}>

/** OpenAI has both paths; which one a model requires is that model's rule. */
const openai = ({ path }: Recorded): Vendor => (path.startsWith('/v1/responses') ? openaiResponses : openaiChat)

/** Every family that clients are tested with. */
export const families = {
  'openai-chat': {
    label: 'OpenAI Chat',
    model: 'gpt-4.1',
    channel: { type: 1, key: 'openai-key', setting: '{"api_format":"chat"}' },
    vendorOf: openai,
  },
  'openai-responses': {
    label: 'OpenAI Responses',
    model: 'gpt-5.5',
    channel: { type: 1, key: 'openai-key' },
    vendorOf: openai,
  },
  anthropic: {
    label: 'Anthropic',
    model: 'claude-opus-4-8',
    channel: { type: 14, key: 'anthropic-key' },
    vendorOf: () => anthropic,
  },
  gemini: {
    label: 'Gemini',
    model: 'gemini-3.1-pro-preview',
    channel: { type: 24, key: 'gemini-key' },
    vendorOf: () => gemini,
  },
  bedrock: {
    label: 'Bedrock',
    model: 'claude-sonnet-4-6',
    channel: { type: 33, key: 'AKIDEXAMPLE|secret|eu-central-1' },
    vendorOf: () => bedrock,
  },
  deepseek: {
    label: 'DeepSeek',
    model: 'deepseek-v4-pro',
    channel: { type: 43, key: 'deepseek-key' },
    vendorOf: () => deepseek,
  },
  ollama: {
    label: 'Ollama',
    model: 'qwen3-coder',
    channel: { type: 4, key: 'ollama' },
    vendorOf: () => ollama,
  },
} as const satisfies Record<string, Family>
export type FamilyName = keyof typeof families
export const familyNames = Object.keys(families) as FamilyName[] // the keys of a constant

/** The response to a request that the vendor would refuse: 400 and its first reason. */
export function refusal(vendor: Vendor, request: Recorded, faults: readonly string[]): Script {
  return vendor.refuses(request, 400, faults.slice(0, 3).join('; '))
}
