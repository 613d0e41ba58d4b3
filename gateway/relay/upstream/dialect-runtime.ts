import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import { lruClock, upTo } from '../../base/lru.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DialectSettings } from '../formats/codec.ts'
import { type Codecs, createCodecs } from '../formats/codecs.ts'
import type { AccessTokens, ClaudeHeaders } from '../providers/provider.ts'
import { createKnownReliefs, type KnownReliefs } from './relief.ts'

/** Everything that speaking to vendors in their dialects takes. */
export type DialectRuntime = Readonly<{
  codecs: Codecs
  /**
   * What the options say of Anthropic's and Gemini's dialects (docs/reference/conversion.md#openai-to-anthropic,
   * docs/reference/conversion.md#openai-to-gemini).
   */
  dialects: () => DialectSettings
  /** The version of Gemini's API to speak to a model: its own, else the default one. */
  geminiVersion: (model: string) => string
  /** Headers that a model of Claude's is asked with besides those of every call. */
  claudeHeaders: ClaudeHeaders
  accessTokens: AccessTokens
  /** What vendors refuse of whatever is asked with a channel's key. */
  reliefs: KnownReliefs
  /** Unix milliseconds, for what is signed. */
  now: () => number
}>

const GEMINI_VERSION = 'v1beta'
const CALL_ID = 24

/** The codecs, and the options they go by, followed as they change. */
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

/** A member that the object itself has. */
const own = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined

const MAX = 1000
/** A token is asked for again when so much of its time is left, in seconds. */
const MARGIN = 300

/** Access tokens in memory, at most 1,000. Whoever asks while one is being fetched waits for that one; a failure is not kept. */
function createAccessTokens(clock: Clock): AccessTokens {
  const kept = new LRUCache<string, string>({ ...upTo(MAX), ...lruClock(() => clock.monotonic()) })
  const coming = new Map<string, Promise<string>>()
  return {
    token(name, get) {
      const known = kept.get(name)
      if (known !== undefined) return Promise.resolve(known)
      const waiting = coming.get(name)
      if (waiting) return waiting
      const fetched = get()
        .then(({ token, seconds }) => {
          kept.set(name, token, { ttl: Math.max(1, Math.floor(Math.max(seconds - MARGIN, seconds / 2) * 1000)) })
          return token
        })
        .finally(() => coming.delete(name))
      coming.set(name, fetched)
      return fetched
    },
  }
}
