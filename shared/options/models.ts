import { claudeMaxOutput } from '../claude-max-output.ts'
import { between, flag, interval, jsonOf, share } from './kinds.ts'
import { option } from './option.ts'
import { maxTokens, modelHeaders, nameList, textMap } from './shapes.ts'

/**
 * Settings of single vendors and of all models (docs/reference/options.md#areas,
 * docs/reference/conversion.md#model-suffixes, docs/reference/streams.md#pings).
 */
export const models = {
  'gemini.safety_settings': option({
    ...jsonOf(textMap),
    default: { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    panel: 'models/gemini',
  }),
  'gemini.version_settings': option({
    ...jsonOf(textMap),
    default: { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    panel: 'models/gemini',
  }),
  'gemini.supported_imagine_models': option({
    ...jsonOf(nameList),
    default: ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'],
    panel: 'models/gemini',
  }),
  'gemini.thinking_adapter_enabled': option({ ...flag, default: false, panel: 'models/gemini' }),
  'gemini.thinking_adapter_budget_tokens_percentage': option({ ...share, default: 0.6, panel: 'models/gemini' }),
  'claude.model_headers_settings': option({ ...jsonOf(modelHeaders), default: {}, panel: 'models/claude' }),
  /** Tokens by model or pattern; by default each model has its own maximum, and `default` is for unknown models. */
  'claude.default_max_tokens': option({
    ...jsonOf(maxTokens),
    default: { ...claudeMaxOutput, default: 8192 },
    panel: 'models/claude',
  }),
  'claude.thinking_adapter_enabled': option({ ...flag, default: true, panel: 'models/claude' }),
  'claude.thinking_adapter_budget_tokens_percentage': option({ ...share, default: 0.8, panel: 'models/claude' }),
  /** Adds Claude cache markers to conversations of clients that set none. */
  'claude.automatic_cache_enabled': option({ ...flag, default: true, panel: 'models/claude' }),
  'global.pass_through_request_enabled': option({ ...flag, default: false, panel: 'models/global' }),
  'general_setting.ping_interval_enabled': option({ ...flag, default: false, panel: 'models/global' }),
  /** Seconds between two keep-alive comments in a stream. */
  'general_setting.ping_interval_seconds': option({ ...interval(1), default: 60, panel: 'models/global' }),
  /**
   * Hours for which responses of /v1/responses are stored, so that they can be retrieved and continued; 0 stores none.
   */
  'general_setting.stored_response_hours': option({ ...between(0, 8760), default: 72, panel: 'models/global' }),
}
