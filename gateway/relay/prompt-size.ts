import { createGauge } from './tokens/estimate.ts'
import type { Call } from './understand.ts'

const PER_MESSAGE = 3
const PER_NAME = 1
const REPLY_PRIMING = 3
const PER_TOOL = 8
const PER_IMAGE = 255
const PER_AUDIO = 256

/** Tokens of a request's input, estimated over its text (spec/relay.md §6.7): tokens sent as numbers count as they are. */
export function promptSize(call: Call): number {
  const gauge = createGauge(call.model)
  const { messages, prompt, input, tools } = call.json
  let extra = 0
  for (const item of [prompt, input].flat(2)) {
    if (typeof item === 'string') gauge.add(item)
    else if (typeof item === 'number') extra += 1
  }
  if (Array.isArray(messages)) {
    extra += REPLY_PRIMING
    for (const message of messages) extra += PER_MESSAGE + sizeOfMessage(message, gauge.add)
  }
  if (Array.isArray(tools))
    for (const tool of tools) {
      extra += PER_TOOL
      gauge.add(JSON.stringify(tool))
    }
  return gauge.tokens() + extra
}

function sizeOfMessage(message: unknown, add: (text: string) => void): number {
  if (!isObject(message)) return 0
  let extra = 0
  if (typeof message.role === 'string') add(message.role)
  if (typeof message.name === 'string') {
    add(message.name)
    extra += PER_NAME
  }
  if (typeof message.content === 'string') add(message.content)
  if (Array.isArray(message.content)) for (const part of message.content) extra += sizeOfPart(part, add)
  if (Array.isArray(message.tool_calls)) add(JSON.stringify(message.tool_calls))
  return extra
}

function sizeOfPart(part: unknown, add: (text: string) => void): number {
  if (!isObject(part)) return 0
  if (typeof part.text === 'string') add(part.text)
  if (part.type === 'image_url') return PER_IMAGE
  return part.type === 'input_audio' ? PER_AUDIO : 0
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
