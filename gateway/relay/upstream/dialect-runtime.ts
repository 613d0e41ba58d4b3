import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import { own } from '../../base/json/json.ts'
import { lruClock, upTo } from '../../base/lru.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DialectSettings } from '../formats/codec.ts'
import { type Codecs, createCodecs } from '../formats/codecs.ts'
import type { AccessTokens, ClaudeHeaders } from '../providers/provider.ts'
import { createKnownReliefs, type KnownReliefs } from './relief.ts'

export type DialectRuntime = Readonly<{
  codecs: Codecs
  /**
   * The options of Anthropic's and Gemini's dialects (docs/reference/conversion.md#openai-to-anthropic,
   * docs/reference/conversion.md#openai-to-gemini).
   */
  dialects: () => DialectSettings
  /** The version of Gemini's API for a model: its own, else the default. */
  geminiVersion: (model: string) => string
  claudeHeaders: ClaudeHeaders
  accessTokens: AccessTokens
  reliefs: KnownReliefs
  /** Unix milliseconds, for signatures. */
  now: () => number
}>

const GEMINI_VERSION = 'v1beta'
const CALL_ID = 24

export function createDialectRuntime(settings: Settings, clock: Clock): DialectRuntime {
  const dialects = settings.derive(
    ['claude.default_max_tokens', 'gemini.safety_settings', 'gemini.supported_imagine_models'],
    () => ({
      claudeMaxTokens: settings.get('claude.default_max_tokens'),
      geminiSafety: settings.get('gemini.safety_settings'),
      geminiImageModels: settings.get('gemini.supported_imagine_models'),
    }),
  )
  const geminiVersion = (model: string) => {
    const versions = settings.get('gemini.version_settings')
    return own(versions, model) ?? versions.default ?? GEMINI_VERSION
  }
  return {
    codecs: createCodecs(() => `call_${randomKey(CALL_ID)}`),
    dialects,
    geminiVersion,
    claudeHeaders: (model) => own(settings.get('claude.model_headers_settings'), model),
    accessTokens: createAccessTokens(clock),
    reliefs: createKnownReliefs(clock),
    now: clock.now,
  }
}

const MAX = 1000
/** Seconds before its expiry at which a token is renewed, but at most half of its lifetime. */
const MARGIN = 300

/** Up to 1,000 access tokens in memory. Concurrent requests share one fetch; failures are not cached. */
function createAccessTokens(clock: Clock): AccessTokens {
  const cache = new LRUCache<string, string>({ ...upTo(MAX), ...lruClock(() => clock.monotonic()) })
  const pending = new Map<string, Promise<string>>()
  return {
    token(name, get) {
      const known = cache.get(name)
      if (known !== undefined) return Promise.resolve(known)
      const waiting = pending.get(name)
      if (waiting) return waiting
      const fetched = get()
        .then(({ token, seconds }) => {
          cache.set(name, token, { ttl: Math.max(1, Math.floor(Math.max(seconds - MARGIN, seconds / 2) * 1000)) })
          return token
        })
        .finally(() => pending.delete(name))
      pending.set(name, fetched)
      return fetched
    },
  }
}
