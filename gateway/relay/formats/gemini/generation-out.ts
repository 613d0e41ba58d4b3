import { type JsonObject, present } from '../../../base/json/json.ts'
import { drawsImages, onlySpeaks, returnsLogProbabilities } from '../../capabilities/gemini-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation } from '../conversation.ts'
import { MAX_TOP } from '../log-probabilities.ts'
import { resolutionOut } from './resolution.ts'
import { answerSchemaOut } from './schema-out.ts'
import { thinkingOut } from './thinking.ts'

const MAX_STOPS = 5

export function generationOut(conversation: Conversation, target: RequestTarget): JsonObject {
  const { stop, output } = conversation
  if (stop && stop.length > MAX_STOPS) target.drop('stop')
  return present({
    candidateCount: conversation.choices,
    maxOutputTokens: conversation.maxOutput,
    temperature: conversation.temperature,
    topP: conversation.topP,
    topK: conversation.topK,
    seed: conversation.seed,
    stopSequences: stop?.slice(0, MAX_STOPS),
    frequencyPenalty: conversation.frequencyPenalty,
    presencePenalty: conversation.presencePenalty,
    ...logProbabilitiesOut(conversation, target),
    responseMimeType: output && 'application/json',
    ...(output?.type === 'schema' && answerSchemaOut(output.schema, target)),
    responseModalities: modalitiesOut(conversation, target),
    speechConfig: speechOut(conversation, target),
    mediaResolution: resolutionOut(conversation, target),
    thinkingConfig: thinkingOut(conversation, target),
  })
}

/** Models of the third generation do not support log probabilities (docs/reference/conversion.md#log-probabilities). */
function logProbabilitiesOut({ logProbabilities: requested, extras }: Conversation, target: RequestTarget): JsonObject {
  if (!requested) return {}
  if (extras.from !== 'gemini' && !returnsLogProbabilities(target.model)) {
    target.drop('logProbabilities')
    return {}
  }
  const top = Math.min(requested.top, MAX_TOP)
  return { responseLogprobs: true, logprobs: top > 0 ? top : undefined }
}

/**
 * Image models return text and images unless the client configures otherwise; if audio is requested, speech models
 * return nothing else.
 */
function modalitiesOut({ modalities }: Conversation, target: RequestTarget): readonly string[] | undefined {
  if (modalities?.includes('audio') && onlySpeaks(target.model)) return ['AUDIO']
  if (modalities) return modalities.map((kind) => kind.toUpperCase())
  return drawsImages(target.model, target.settings.geminiImageModels) ? ['TEXT', 'IMAGE'] : undefined
}

function speechOut({ voice }: Conversation, target: RequestTarget): JsonObject | undefined {
  if (!voice) return undefined
  if (voice.container !== undefined) target.drop('audio.format')
  return { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice.name } } }
}
