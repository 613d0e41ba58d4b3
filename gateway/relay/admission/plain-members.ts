import type { JsonObject } from '../../base/json/json.ts'

/**
 * Members of requests, in all dialects, that do not make a vendor add to the prompt, or that are counted elsewhere. Texts
 * in them are counted by their bytes.
 */
export const PLAIN: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'input', 'contents', 'prompt', 'system', 'instructions', 'suffix'],
  ...['systemInstruction', 'system_instruction', 'tools', 'functions', 'tool_choice', 'function_call'],
  ...['toolConfig', 'tool_config', 'parallel_tool_calls', 'max_tool_calls', 'mcp_servers', 'web_search_options'],
  ...['stream', 'stream_options', 'streamOptions', 'tool_stream', 'n', 'best_of', 'echo', 'seed', 'random_seed'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'min_tokens'],
  ...['temperature', 'top_p', 'top_k', 'top_a', 'min_p', 'typical_p', 'do_sample', 'stop', 'stop_sequences'],
  ...['presence_penalty', 'frequency_penalty', 'repetition_penalty', 'logit_bias', 'logprobs', 'top_logprobs'],
  ...['generationConfig', 'generation_config', 'safetySettings', 'safety_settings', 'labels', 'audio', 'modalities'],
  ...['response_format', 'text', 'output_config', 'output_format', 'verbosity', 'truncation', 'include'],
  ...['reasoning', 'reasoning_effort', 'reasoning_split', 'include_reasoning', 'thinking', 'thinking_budget'],
  ...['enable_thinking', 'chat_template_kwargs', 'prompt_mode', 'safe_prompt', 'transforms'],
  ...['think', 'format', 'keep_alive', 'preserve_thinking', 'clear_thinking', 'incremental_output', 'result_format'],
  ...['group', 'ignore_eos', 'skip_special_tokens', 'add_generation_prompt', 'structured_outputs', 'regex'],
  ...['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'json_schema', 'compaction'],
  ...['metadata', 'client_metadata', 'user', 'user_id', 'request_id', 'safety_identifier', 'session_id'],
  ...['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_breakpoint', 'cache_control', 'store', 'background'],
  ...['service_tier', 'serviceTier', 'speed', 'inference_geo', 'provider', 'models', 'route', 'usage', 'betas'],
  ...['anthropic_version', 'anthropic_beta', 'container', 'context_management', 'previous_response_id'],
  ...['conversation', 'thread', 'cachedContent', 'cached_content'],
])

/**
 * Whether a request, or a channel's override, has another member that is neither off nor a number: a search of the
 * vendor, its documents or its plugins may make the prompt longer than it looks.
 */
export function hasUnknownMembers(json: Readonly<JsonObject>): boolean {
  for (const name in json) {
    const value = json[name]
    if (!PLAIN.has(name) && value && typeof value !== 'number') return true
  }
  return false
}

/** Options that make vendors search (Alibaba Model Studio, "Web search"; Baidu; xAI; OpenRouter). */
const SEARCH = /search|plugins/i

/**
 * The number of searches that options may cause: one for `true`, `max` for any other value, with which the model may
 * decide how often it searches.
 */
export function switchedSearches(json: Readonly<JsonObject>, max: number): number {
  let searches = 0
  for (const name in json) {
    const value = json[name]
    if (!value || PLAIN.has(name) || !SEARCH.test(name)) continue
    searches = Math.max(searches, value === true ? 1 : max)
  }
  return searches
}
