/**
 * JSON texts that parse but are not valid for the option, for every JSON option (docs/reference/options.md#validation).
 */
export const invalidJson = {
  ModelMaxOutput: ['[]', '{"m":0}', '{"m":1.5}', '{"m":"1"}'],
  ModelPrice: ['[]', 'null', '{"m":-1}', '{"m":"1"}'],
  ModelRatio: ['[]', '3', '{"m":-1}', '{"m":null}'],
  CompletionRatio: ['"x"', '{"m":-1}'],
  CacheRatio: ['true', '{"m":{}}'],
  CreateCacheRatio: ['[1]', '{"m":-1}'],
  ImageRatio: ['[1]', '{"m":-1}'],
  AudioRatio: ['[1]', '{"m":-1}'],
  AudioCompletionRatio: ['[1]', '{"m":-1}'],
  PriceSteps: [
    '[]',
    '{"m":{"above":1,"input":1,"output":1}}',
    '{"m":[{"above":0,"input":1,"output":1}]}',
    '{"m":[{"above":1,"input":-1,"output":1}]}',
    '{"m":[{"above":1,"input":1}]}',
    '{"m":[{"above":2,"input":1,"output":1},{"above":2,"input":2,"output":2}]}',
  ],
  ServiceTierRatio: ['[1]', '{"priority":-1}', '{"priority":"2"}'],
  GroupRatio: ['[]', '{"vip":-0.5}', '{"":1}', '{"a,b":1}'],
  UserUsableGroups: ['[]', '{"vip":1}'],
  GroupGroupRatio: ['{"vip":1}', '{"vip":{"x":-1}}'],
  AutoGroups: ['{}', '[1]', '[""]'],
  Chats: ['{}', '[{}]', '[{"a":1}]', '[{"a":"b","c":"d"}]'],
  TopupGroupRatio: ['[]', '{"vip":-1}'],
  PayMethods: ['{}', '["zfb"]', '[{"type":"zfb"}]'],
  ModelRequestRateLimitGroup: ['[]', '{"vip":5}', '{"vip":[1,0]}', '{"vip":[1,1,1]}'],
  'gemini.safety_settings': ['[]', '{"default":1}'],
  'gemini.version_settings': ['[]', '{"default":null}'],
  'gemini.supported_imagine_models': ['{}', '[7]'],
  'claude.model_headers_settings': ['[]', '{"m":{"h":"v"}}'],
  'claude.default_max_tokens': ['{}', '{"default":0}', '{"default":1.5}'],
}

export const secretExamples = {
  SMTPToken: 'hidden-1',
  WorkerValidKey: 'hidden-2',
  EpayKey: 'hidden-3',
  GitHubClientSecret: 'hidden-4',
  'oidc.client_secret': 'hidden-5',
  LinuxDOClientSecret: 'hidden-6',
  WeChatServerToken: 'hidden-7',
  TelegramBotToken: 'hidden-8',
  TurnstileSecretKey: 'hidden-9',
}
