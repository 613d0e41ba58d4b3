import type { catalogue as english } from '../en/catalogue.ts'

/** The Chinese side of en/catalogue.ts, key by key. */
export const catalogue = {
  'catalogue.unknown_format':
    '这不是价格目录。请使用网关的 /api/pricing 或 /api/ratio_config、LiteLLM 的模型价格文件或 OpenRouter 的模型列表。',
  'catalogue.not_json': '价格目录不是有效的 JSON',
  'catalogue.too_many': '价格目录中的模型超过 {max} 个',
  'catalogue.too_long': '价格目录过长或嵌套过深（最多 {limit}）',
  'catalogue.bad_url': '请输入完整的 http 或 https 地址，不要带用户名或密码',
  'catalogue.bad_status': '{host} 返回了状态码 {status}',
  'catalogue.unreachable': '无法连接 {host}，或对方未及时响应',
  'catalogue.compare_again': '这次比较的结果已失效，请重新比较。',
  'catalogue.changed_meanwhile': '比较之后价格已被修改，请重新比较。',
  'catalogue.not_compared': '这次比较不会改变 {model} 的价格',
  'catalogue.too_large': '价格将超出配置项 {name} 的容量，请减少所选模型。',
  'catalogue.nothing_to_undo': '这次更新已被撤销，或之后又有了新的更新',
  'catalogue.bad_model': '请输入模型名称',
  'catalogue.folded': '{model} 使用 {name} 的价格',
  'catalogue.past': '请选择将来的时间',
  'catalogue.too_many_scheduled': '最多可以设置 {max} 个定时价格',
  'catalogue.schedule_outdated': '这个定时价格期间已被修改，未保存任何内容。请关闭后重新打开查看。',
  'catalogue.not_pending': '这个定时价格已不在等待中',
  'catalogue.output_only': '设置输出价格时，输入价格必须大于 0',
  'catalogue.audio_only': '设置音频输出价格时，必须设置音频输入价格',
  'log.price_sync': '{actor} 根据价格目录更新了 {count} 个模型的价格：{names}',
  'log.price_undo': '{actor} 撤销了上一次价格更新，涉及 {count} 个模型：{names}',
  'log.price_scheduled': '{actor} 为 {count} 个模型设置了 {time} 生效的定时价格：{names}',
  'log.price_schedule_changed': '{actor} 修改了 {model} 的定时价格',
  'log.price_schedule_cancelled': '{actor} 取消了 {model} 的定时价格',
  'log.price_applied': '{count} 个模型的定时价格已生效：{names}',
  'log.price_failed': '{count} 个模型的定时价格未能生效：{names}',
} satisfies Record<keyof typeof english, string>
