import { type ChannelTypeName, channelTypes } from '../../shared/channel-types.ts'

/** The counterpart of a one-api channel type: a type, and an address if it differs from the type's default. */
type OneApiType = Readonly<{ type: number; base_url: string }>

const as = (name: ChannelTypeName, base_url = ''): OneApiType => ({ type: channelTypes[name].id, base_url })

/**
 * The channel types of one-api by number, which differ from new-api's from 2 on. OpenAI-compatible services become
 * OpenAI channels with an address. Missing types have no counterpart.
 */
export const oneApiTypes: Readonly<Record<number, OneApiType>> = {
  0: as('openai'),
  1: as('openai'),
  2: as('openai', 'https://oa.api2d.net'),
  3: as('azure'),
  4: as('openai', 'https://api.closeai-proxy.xyz'),
  5: as('openai', 'https://api.openai-sb.com'),
  6: as('openai-max'),
  7: as('ohmygpt'),
  8: as('openai'),
  9: as('ails'),
  10: as('aiproxy'),
  11: as('palm'),
  12: as('api2gpt'),
  13: as('aigc2d'),
  14: as('anthropic'),
  15: as('baidu'),
  16: as('zhipu'),
  17: as('ali'),
  18: as('xunfei'),
  19: as('zhinao'),
  20: as('openrouter'),
  21: as('aiproxy-library'),
  22: as('fastgpt'),
  23: as('tencent'),
  24: as('gemini'),
  25: as('moonshot'),
  26: as('openai', 'https://api.baichuan-ai.com'),
  27: as('minimax'),
  28: as('mistral'),
  29: as('openai', 'https://api.groq.com/openai'),
  30: as('ollama'),
  31: as('lingyiwanwu'),
  32: as('openai', 'https://api.stepfun.com'),
  33: as('aws'),
  34: as('coze'),
  35: as('cohere'),
  36: as('deepseek'),
  37: as('cloudflare'),
  39: as('openai', 'https://api.together.xyz'),
  40: as('volcengine'),
  41: as('openai', 'https://api.novita.ai/v3/openai'),
  42: as('vertex'),
  44: as('siliconflow'),
  45: as('xai'),
  47: as('baidu-v2'),
  48: as('openai', 'https://spark-api-open.xf-yun.com'),
  49: as('openai', 'https://dashscope.aliyuncs.com/compatible-mode'),
  50: as('openai'),
  51: as('openai', 'https://generativelanguage.googleapis.com/v1beta/openai'),
}
