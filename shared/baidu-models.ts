/**
 * A model's path segment at Baidu's first interface, if it differs from the model's name
 * (docs/reference/channel-types.md#baidu-qianfan-first-interface).
 */
const paths: Readonly<Record<string, string>> = {
  'ernie-4.0-8k': 'completions_pro',
  'ernie-4.0': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-3.5-8k': 'completions',
  'ernie-bot': 'completions',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite-8k-0922': 'eb-instant',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie-speed-128k': 'ernie-speed-128k',
  'ernie-lite-8k-0308': 'ernie-lite-8k',
  'ernie-tiny-8k': 'ernie-tiny-8k',
  'ernie-bot-8k': 'ernie_bot_8k',
  'bloomz-7b': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

/** A model's path segment; unknown names are used as is, in lower case. */
export function baiduName(model: string): string {
  const name = model.toLowerCase()
  return paths[name] ?? name
}
