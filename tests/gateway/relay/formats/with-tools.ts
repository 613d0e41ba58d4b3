import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'

const codecs = createCodecs(() => 'call_1')
const settings = { claudeMaxTokens: { default: 100 }, geminiSafety: {}, geminiImageModels: [] }

/** The upstream request for a client of another dialect with tools that have these parameters. */
export function withTools(schemas: readonly Json[], format: Format, model: string) {
  const tools = schemas.map((parameters, index) => ({ type: 'function', function: { name: `f${index}`, parameters } }))
  const messages = [{ role: 'user', content: 'hi' }]
  const read = codecs.openai.decodeRequest({ messages, tools }, model, false)
  const conversation = { ...read, extras: { from: 'anthropic', fields: {} } } as const
  const told = new Set<string>()
  const target = { model, streamOptions: false, cacheMarks: false, strictOpenai: true, settings }
  const wire = codecs[format].encodeRequest(conversation, { ...target, drop: (name) => told.add(name) })
  return { wire, told }
}
