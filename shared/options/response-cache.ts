import { between, flag, lines, numberBetween } from './kinds.ts'
import { option } from './option.ts'

/** Cached responses for identical requests of a token (docs/reference/cache.md). */
export const responseCache = {
  ResponseCacheEnabled: option({
    ...flag,
    default: false,
    panel: 'models/cache',
    publishAs: 'response_cache_enabled',
  }),
  /** One model per line, `*` as a wildcard; read it through `linesOf`. */
  ResponseCacheModels: option({ ...lines, default: '*', panel: 'models/cache' }),
  /** Seconds for which a response is cached. */
  ResponseCacheSeconds: option({ ...between(1, 604_800), default: 3600, panel: 'models/cache' }),
  /** Mebibytes of memory for all responses. */
  ResponseCacheSize: option({ ...between(1, 1024), default: 64, panel: 'models/cache' }),
  /** Maximum kibibytes of one response. */
  ResponseCacheLargestAnswer: option({ ...between(1, 4096), default: 512, panel: 'models/cache' }),
  /** The share of its price that a cached response costs. */
  ResponseCacheHitRatio: option({ ...numberBetween(0, 1), default: 0, panel: 'models/cache' }),
}
