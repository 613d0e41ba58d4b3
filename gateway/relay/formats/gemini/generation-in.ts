import { ExactNumber } from '../../../base/json/exact-number.ts'
import { isObject, type JsonObject, textIn } from '../../../base/json/json.ts'
import type { Conversation, OutputFormat } from '../conversation.ts'
import { messageIn, numberOf, textsOf } from './message.ts'
import { schemaIn } from './schema-in.ts'
import { reasoningIn } from './thinking.ts'

const generationMembers = [
  'candidateCount',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'stopSequences',
  'frequencyPenalty',
  'presencePenalty',
  'thinkingConfig',
]
const scoreMembers = ['responseLogprobs', 'logprobs']
const outputMembers = ['responseMimeType', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema']

export function generationIn(
  config: JsonObject,
): Readonly<{ members: Partial<Conversation>; known: readonly string[] }> {
  const number = (name: string) => numberOf(config[name], `generationConfig.${name}`)
  const output = outputIn(config)
  const voice = voiceIn(config.speechConfig)
  const modalities = modalitiesIn(config.responseModalities)
  const members: Partial<Conversation> = {
    choices: number('candidateCount'),
    maxOutput: number('maxOutputTokens'),
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    seed: config.seed instanceof ExactNumber ? config.seed : number('seed'),
    logProbabilities: config.responseLogprobs === true ? { top: number('logprobs') ?? 0 } : undefined,
    stop: textsOf(config.stopSequences, 'generationConfig.stopSequences'),
    frequencyPenalty: number('frequencyPenalty'),
    presencePenalty: number('presencePenalty'),
    reasoning: reasoningIn(config.thinkingConfig),
    output,
    voice,
    modalities,
  }
  const known = [
    ...generationMembers,
    ...(output ? outputMembers : []),
    ...(typeof config.responseLogprobs === 'boolean' ? scoreMembers : []),
    ...(config.responseMimeType === 'text/plain' ? ['responseMimeType'] : []),
    ...(voice ? ['speechConfig'] : []),
    ...(modalities ? ['responseModalities'] : []),
  ]
  return { members, known }
}

/** JSON, with the schema if there is one; other text types, such as bare enums, remain extras. */
function outputIn(config: JsonObject): OutputFormat | undefined {
  const mime = textIn(config.responseMimeType)
  const isJson = mime === 'application/json'
  if (!isJson && mime !== undefined) return undefined
  const json = config.responseJsonSchema ?? config._responseJsonSchema
  if (isObject(json)) return { type: 'schema', schema: json }
  if (isObject(config.responseSchema)) return { type: 'schema', schema: schemaIn(config.responseSchema) }
  return isJson ? { type: 'json' } : undefined
}

/** Returns the voice if the configuration names one voice and nothing else. */
function voiceIn(value: unknown): Conversation['voice'] {
  const { voiceConfig, ...others } = messageIn(value)
  const { prebuiltVoiceConfig, ...kinds } = messageIn(voiceConfig)
  const { voiceName, ...more } = messageIn(prebuiltVoiceConfig)
  const isMore = [others, kinds, more].some((rest) => Object.keys(rest).length > 0)
  return typeof voiceName === 'string' && !isMore ? { name: voiceName } : undefined
}

const modalityNames = ['text', 'image', 'audio'] as const

function modalitiesIn(value: unknown): Conversation['modalities'] {
  const names = textsOf(value, 'generationConfig.responseModalities')
  const kinds = names?.map((name) => modalityNames.find((known) => known === name.toLowerCase()))
  return kinds?.every((kind) => kind !== undefined) ? kinds : undefined
}
