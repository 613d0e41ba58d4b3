import { z } from 'zod'
import { messageError } from '../../../support/anthropic.ts'
import { geminiError } from '../../../support/gemini.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Options, type Person, type World } from '../../../support/world.ts'
import { anthropicVendor } from './anthropic-vendor.ts'
import { chatVendor } from './chat-vendor.ts'
import { Unacceptable } from './conversation.ts'
import { geminiVendor } from './gemini-vendor.ts'
import { createResponsesVendor } from './responses-vendor.ts'

/** A family of upstreams: its model, channel type and key. */
export const families = {
  openai: { model: 'gpt-5', type: 1 },
  anthropic: { model: 'claude-sonnet-4-5', type: 14 },
  gemini: { model: 'gemini-3-pro-preview', type: 24 },
  /** A vendor with only OpenAI's chat dialect; its vision model's thinking must be enabled. */
  compatible: { model: 'deepseek-chat-vl', type: 43 },
} as const
export type Family = keyof typeof families
export const familyNames = Object.keys(families) as Family[] // the keys of a constant

/** A gateway with a channel for each family, and a strict vendor for each of the four dialects. */
export async function aHouse(options: Options = {}): Promise<Readonly<{ world: World; alice: Person }>> {
  const names = Object.values(families).map(({ model }) => model)
  const ratios = Object.fromEntries(names.map((model) => [model, 1]))
  const world = await aWorld({ options: { ModelRatio: ratios, CompletionRatio: {}, ...options } })
  for (const family of familyNames) {
    const { model, type } = families[family]
    await world.channel({ models: model, type, key: `${family}-key`, name: family })
  }
  return { world, alice: await world.user({ quota: 1_000_000_000_000 }) }
}

/** Vendors that respond in the dialect of the path; a request that the vendor would refuse is a 400 with the reason. */
export function createVendors(): (request: Recorded) => Script {
  const responsesVendor = createResponsesVendor()
  return (request) => {
    const [path = ''] = request.path.split('?')
    try {
      if (path === '/v1/chat/completions') return chatVendor(request)
      if (path === '/v1/responses') return responsesVendor(request)
      if (path === '/v1/messages') return anthropicVendor(request)
      if (path.startsWith('/v1beta/models/')) return geminiVendor(request)
      return failure(request, 404, `no such path ${path}`)
    } catch (error) {
      if (error instanceof Unacceptable) return failure(request, 400, error.message)
      if (error instanceof z.ZodError) return failure(request, 400, z.prettifyError(error))
      throw error
    }
  }
}

export function failure({ path }: Recorded, status: number, message: string): Script {
  if (path.startsWith('/v1/messages'))
    return { status, body: messageError(anthropicTypes[status] ?? 'api_error', message) }
  if (path.startsWith('/v1beta/'))
    return { status, body: geminiError(status, googleStatuses[status] ?? 'INTERNAL', message) }
  return { status, body: { error: { message, type: 'invalid_request_error', code: null, param: null } } }
}

const anthropicTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
}
const googleStatuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
}
