import { between, flag, lines, numberBetween } from './kinds.ts'
import { option } from './option.ts'

/** Answers that are kept for equal requests of a token (docs/reference/cache.md). */
export const responseCache = {
  ResponseCacheEnabled: option({
    ...flag,
    default: false,
    panel: 'models/cache',
    publishAs: 'response_cache_enabled',
  }),
  /** One model a line, `*` for anything; read it through `linesOf`. */
  ResponseCacheModels: option({ ...lines, default: '*', panel: 'models/cache' }),
  /** Seconds for which an answer is kept. */
  ResponseCacheSeconds: option({ ...between(1, 604_800), default: 3600, panel: 'models/cache' }),
  /** Mebibytes of memory that all answers may take. */
  ResponseCacheSize: option({ ...between(1, 1024), default: 64, panel: 'models/cache' }),
  /** Kibibytes that one answer may have. */
  ResponseCacheLargestAnswer: option({ ...between(1, 4096), default: 512, panel: 'models/cache' }),
  /** The share of its price that an answer from the cache costs. */
  ResponseCacheHitRatio: option({ ...numberBetween(0, 1), default: 0, panel: 'models/cache' }),
}
