import { objectIn, present } from '../../base/json/json.ts'
import { limitEdits } from './ignored-params.ts'
import { elsewhere } from './openai-family.ts'
import type { Bridge, Provider, Target } from './provider.ts'
import { dropOthers, refuseStream, unsupportedField } from './vectors.ts'

const VENDOR = 'Cloudflare'
const IN_JSON = /whisper-large-v3-turbo$/

/** Workers AI's speech models accept the recording itself, or its base64 in JSON (Cloudflare, "Whisper"). */
const transcriptions: Bridge = {
  fromForm(form, json, { model }, drop) {
    const file = form.find(({ name, fileName }) => name === 'file' && fileName !== null)
    if (!file) throw unsupportedField(VENDOR, 'file')
    if (json.stream === 'true') refuseStream(VENDOR, { stream: true })
    const isPlain = json.response_format === 'json' || json.response_format === undefined
    const known = ['file', ...(isPlain ? ['response_format'] : [])]
    if (!IN_JSON.test(model)) {
      dropOthers(json, known, drop)
      return { bytes: file.bytes, type: file.type || 'application/octet-stream' }
    }
    dropOthers(json, [...known, 'language', 'prompt'], drop)
    const { language, prompt: initial_prompt } = json
    // A recording may be long, and base64 needs no escapes.
    const audio = Buffer.from(file.bytes.toString('base64'), 'latin1')
    const others = JSON.stringify(present({ language, initial_prompt })).slice(1)
    const end = Buffer.from(others === '}' ? '"}' : `",${others}`)
    return { bytes: Buffer.concat([Buffer.from('{"audio":"'), audio, end]), type: 'application/json' }
  },
  answer: ({ result }) => ({ text: objectIn(result).text ?? '' }),
}

const offered = elsewhere({
  chat: '/client/v4/accounts/{other}/ai/v1/chat/completions',
  embeddings: '/client/v4/accounts/{other}/ai/v1/embeddings',
})

/**
 * Cloudflare Workers AI for an account: OpenAI's wire format, and speech models at their own paths
 * (docs/reference/channel-types.md#cloudflare-workers-ai).
 */
export const cloudflare: Provider = {
  ...offered,
  paths: { ...offered.paths, transcriptions: run },
  patchBody: (json, { endpoint }) => new Map(endpoint === 'chat' ? limitEdits(json) : []),
  bridges: { transcriptions },
}

/** The slashes in model names are part of the path. */
function run({ channel, model }: Target): string {
  const name = model.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@')
  return `${channel.baseUrl}/client/v4/accounts/${encodeURIComponent(channel.other)}/ai/run/${name}`
}
