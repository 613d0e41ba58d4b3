import { expect, it } from 'vitest'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage } from '../../shared/messages/format.ts'

/** What accounts say, as people and programs of the family know it (docs/reference/screens.md#texts). */
it.each<[MessageKey, string, string]>([
  ['login.expired', 'Not logged in or login expired, please log in again', '未登录或登录已过期，请重新登录！'],
  ['login.required', 'Please enter username and password!', '请填写用户名和密码'],
  [
    'login.default_pw',
    'You are using the default password! Change it immediately!',
    '当前使用的是默认密码，请立即修改',
  ],
  ['login.ok', 'Login successful!', '登录成功！'],
  ['logout.ok', 'Logged out', '注销成功!'],
  ['register.ok', 'Registered successfully!', '注册成功'],
  ['register.pw_short', 'Password length must not be less than 8', '密码不能少于 8 位'],
  ['pw.mismatch', 'The two passwords do not match', '两次输入的密码不一致'],
  [
    'turnstile.wait',
    'Please retry in a few seconds, Turnstile is checking the user environment',
    '请稍后几秒重试，Turnstile 正在检查用户环境！',
  ],
  ['user.empty_add', 'Username and password cannot be empty!', '请填写用户名和密码'],
  ['user.created', 'User account created successfully!', '用户已创建'],
  ['user.updated', 'User info updated successfully!', '用户信息已更新'],
  ['op.ok', 'Operation completed successfully!', '操作成功'],
  ['update.ok', 'Update succeeded', '更新成功'],
  ['update.save_fail', 'Update failed', '更新失败'],
  ['pw.need_original', 'Please enter the original password!', '请填写原密码'],
  ['pw.need_new', 'Please enter the new password!', '请填写新密码'],
  ['pw.same', 'New password must differ from the original', '新密码不能与原密码相同'],
  ['pw.changed', 'Password changed successfully!', '密码已修改'],
  ['account.delete_confirm', 'Please enter your account name to confirm deletion!', '请填写您的用户名以确认删除'],
  ['account.deleted', 'Account deleted!', '账户已删除'],
  ['email.need', 'Please enter email!', '请填写邮箱'],
  ['email.need_code', 'Please enter the email verification code!', '请填写邮箱验证码'],
  ['email.sent', 'Verification code sent, check your email!', '验证码已发送，请查收邮件'],
  ['email.bound', 'Email account bound successfully!', '邮箱绑定成功'],
  ['wechat.bound', 'WeChat account bound successfully!', '微信绑定成功'],
  ['bind.ok', 'Bound successfully', '绑定成功！'],
  ['aff.min_form', 'Transfer amount minimum is $1.00', '划转金额最低为 $1.00'],
  ['setting.ok', 'Notification settings updated', '通知设置已保存'],
  ['setting.fail', 'Failed to update notification settings', '通知设置保存失败'],
  ['copy.fail', 'Cannot copy to clipboard, please copy manually', '无法复制到剪贴板，请手动复制'],
  ['reset.done', 'password reset complete', '密码重置完成'],
  ['oauth.fail', 'Operation failed, redirecting to the login screen...', '操作失败，重定向至登录界面中...'],
  ['setup.status_fail', 'Failed to get initialization status', '获取初始化状态失败'],
  ['setup.fail', 'Initialization failed, retry', '初始化失败，请重试'],
  ['setup.need_user', 'Enter the admin username', '请输入管理员用户名'],
  ['setup.form', 'Form reference error, refresh and retry', '表单引用错误，请刷新页面重试'],
  ['status.fail1', 'Unable to connect to server', '无法连接服务器'],
  ['status.fail2', 'Failed to load status', '状态加载失败'],
  ['http.405', 'This site is for demonstration only, no server!', '本站仅供演示，没有后端服务！'],
  ['http.429', 'Error: too many requests, try again later!', '错误：请求过于频繁，请稍候再试！'],
  ['http.500', 'Error: internal server error, contact the administrator!', '错误：服务器内部异常，请联系管理员！'],
  ['http.other', 'Error: why', '错误：why'],
  ['role.unknown', 'Unknown identity', '未知身份'],
  ['role.user', 'Normal user', '普通用户'],
  ['role.root', 'Super administrator', '超级管理员'],
])('%s says “%s”', (key, english, chinese) => {
  const params = { amount: '$1.00', message: 'why' }
  expect([formatMessage('en', key, params), formatMessage('zh', key, params)]).toEqual([english, chinese])
})
