import { z } from 'zod'
import { call } from './call.ts'

/** What the console must know before anyone signs in (spec/console.md §6.1). The answer is made from memory. */
export const statusView = z.looseObject({
  version: z.string(),
  start_time: z.number(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  register_enabled: z.boolean(),
  password_login_enabled: z.boolean(),
  default_use_auto_group: z.boolean(),
  default_collapse_sidebar: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
})
export type Status = z.infer<typeof statusView>

export const status = {
  read: call({ method: 'GET', path: '/api/status', access: 'public', answer: statusView }),
  test: call({
    method: 'GET',
    path: '/api/status/test',
    access: 'admin',
    answer: z.null(),
    beside: z.object({ http_stats: z.object({ active_connections: z.number() }) }),
  }),
  notice: call({ method: 'GET', path: '/api/notice', access: 'public', answer: z.string() }),
  about: call({ method: 'GET', path: '/api/about', access: 'public', answer: z.string() }),
  home: call({ method: 'GET', path: '/api/home_page_content', access: 'public', answer: z.string() }),
}
