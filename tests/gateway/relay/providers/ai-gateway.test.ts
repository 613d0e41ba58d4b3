import { describe, expect, it } from 'vitest'
import { chatAddress } from '../../../../gateway/relay/probing/probe.ts'
import { storedChannel } from './stored-channel.ts'

const GATEWAY = 'https://gateway.ai.cloudflare.com/v1/account/gate'

describe("Cloudflare's AI gateway in front of a vendor (docs/reference/channel-types.md#common-rules)", () => {
  it.each([
    [1, '/openai', '/chat/completions'],
    [3, '/azure-openai/resource', '/gpt-4o/chat/completions?api-version=2025-04-01-preview'],
    [14, '/anthropic', '/v1/messages'],
    [43, '/deepseek', '/v1/chat/completions'],
  ])('type %i below %s is called at %s', (type, place, path) => {
    const channel = { ...storedChannel({ type, key: 'k' }), baseUrl: GATEWAY + place, createdTime: 1_800_000_000 }
    expect(chatAddress(channel, 'gpt-4o')).toBe(GATEWAY + place + path)
  })
})
