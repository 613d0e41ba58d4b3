import { chatModel } from '../capabilities/chat-models.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { isOpenAiModel } from './openai-family.ts'
import type { Provider, Target } from './provider.ts'

const API_VERSION = '2025-04-01-preview'
/** Deployments of channels created before this have no dots in their names (2025-05-10, Unix seconds). */
const DOTS_SINCE = 1_746_835_200

const deployed = (task: string) => (target: Target) =>
  `${deploymentsOf(target)}/${deploymentOf(target)}/${task}?api-version=${versionOf(target)}`

/**
 * Cloudflare's AI gateway for Azure has the deployments directly below its URL
 * (docs/reference/channel-types.md#common-rules).
 */
const deploymentsOf = ({ channel: { baseUrl } }: Target): string =>
  baseUrl.startsWith('https://gateway.ai.cloudflare.com') ? baseUrl : `${baseUrl}/openai/deployments`

/**
 * Azure OpenAI (docs/reference/channel-types.md#azure-openai): the deployment is in the path, the key in its own
 * header.
 */
export const azure: Provider = {
  paths: {
    chat: deployed('chat/completions'),
    responses: ({ channel: { baseUrl, setting }, compacts }) =>
      `${baseUrl}/openai/v1/responses${compacts ? '/compact' : ''}?api-version=${encodeURIComponent(setting.azure_responses_version || 'preview')}`,
    completions: deployed('completions'),
    embeddings: deployed('embeddings'),
    images: deployed('images/generations'),
    'image-edits': deployed('images/edits'),
    speech: deployed('audio/speech'),
    transcriptions: deployed('audio/transcriptions'),
    translations: deployed('audio/translations'),
    realtime: (target) =>
      `${target.channel.baseUrl}/openai/realtime?deployment=${deploymentOf(target)}&api-version=${versionOf(target)}`,
  } satisfies Partial<Record<Endpoint, (target: Target) => string>>,
  headers: ({ channel }) => ({ 'api-key': channel.key }),
  apiFormatOf: (model) => chatModel(model)?.apiFormat,
  namesDeployments: true,
  compacts: true,
  isNativeOpenAi: true,
  // The dated versions of its Chat API do not support `prompt_cache_key`.
  takesCacheKey: ({ endpoint, model }) => endpoint === 'responses' && isOpenAiModel(model),
}

function deploymentOf({ channel, model }: Target): string {
  const name = channel.createdTime < DOTS_SINCE ? model.replaceAll('.', '') : model
  return encodeURIComponent(name)
}

/** Returns the caller's version, else the channel's, else the one this release was written for. */
function versionOf({ channel, query }: Target): string {
  const requested = new URLSearchParams(query).get('api-version')
  return encodeURIComponent(requested || channel.other || API_VERSION)
}
