import { expect, it } from 'vitest'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage } from '../../shared/messages/format.ts'

/**
 * Messages of settings and prices in the wording that users and programs of the family know
 * (docs/reference/options.md#refusals).
 */
it.each<[MessageKey, string, string]>([
  ['option.pay_address', 'Please fill in the server address first', '请先设置服务器地址'],
  ['option.topup_ratio', 'The top-up group ratio is not a valid JSON string', '充值分组倍率不是合法的 JSON'],
  ['option.pay_methods', 'The top-up method setting is not a valid JSON string', '充值方式设置不是合法的 JSON'],
  [
    'option.oidc_prefix',
    'Well-Known URL must start with http:// or https://',
    'Well-Known URL 必须以 http:// 或 https:// 开头',
  ],
  [
    'option.oidc_fail',
    'Failed to fetch OIDC configuration, check network and Well-Known URL',
    '获取 OIDC 配置失败，请检查网络和 Well-Known URL',
  ],
  [
    'option.domain_bad',
    'Invalid email domain format, enter a valid domain such as example.com',
    '邮箱域名格式不正确，请输入有效的域名，例如 example.com',
  ],
  ['option.domain_dup', 'This domain already exists in the whitelist', '白名单中已有该域名'],
  ['option.domain_list', 'Invalid email whitelist format', '邮箱白名单格式不正确'],
  ['option.domain_ok', 'Added to whitelist', '已加入白名单'],
  ['option.nochange', "You don't seem to have changed anything", '没有检测到任何改动'],
  ['log.need_time', 'Please select the log record time', '请选择清理的截止时间'],
  ['log.cleaned', '3 logs cleaned up', '已清理 3 条日志'],
  ['price.zero', 'model price cannot be 0', '模型价格不能为 0'],
  ['price.dup', 'model name already exists', '该模型名称已存在'],
  ['option.check', 'please check the input', '请检查输入内容'],
  ['option.fail', 'Failed to save, retry', '保存失败，请重试'],
  ['option.partial', 'Partial save failed, retry', '部分保存失败，请重试'],
  ['option.refresh_fail', 'Refresh failed', '刷新失败'],
  ['update.ok', 'Update succeeded', '更新成功'],
  ['update.save_fail', 'Update failed', '更新失败'],
  ['update.fail', 'Failed to check for updates, try again later', '检查更新失败，请稍后再试'],
  ['op.ok', 'Operation completed successfully!', '操作成功'],
  ['models.fail', 'failed to get model list', '获取模型列表失败'],
  ['models.enabled_fail', 'failed to get enabled models', '获取启用模型失败'],
  ['http.405', 'This site is for demonstration only, no server!', '本站仅供演示，没有后端服务！'],
  ['http.429', 'Error: too many requests, try again later!', '错误：请求过于频繁，请稍候再试！'],
  ['http.500', 'Error: internal server error, contact the administrator!', '错误：服务器内部异常，请联系管理员！'],
  ['http.other', 'Error: why', '错误：why'],
])('%s reads “%s”', (key, english, chinese) => {
  const params = { host: 'example.com', n: 3, message: 'why' }
  expect([formatMessage('en', key, params), formatMessage('zh', key, params)]).toEqual([english, chinese])
})

/** Messages in our own wording. */
it.each<[MessageKey, RegExp, RegExp]>([
  ['option.bad_json', /not valid JSON/, /不是合法的 JSON/],
  ['option.bad_number', /enter a number/i, /请填写数字/],
  ['option.hint.ModelRatio', /1 quota per prompt token.*1,000,000 ÷ quota per unit/, /每个提示 token 1 额度/],
  ['price.batch_none', /select .*models/i, /请先选择/],
  ['price.batch_value', /enter a value/i, /请填写数值/],
])('%s has the same meaning', (key, english, chinese) => {
  expect(formatMessage('en', key)).toMatch(english)
  expect(formatMessage('zh', key)).toMatch(chinese)
})
