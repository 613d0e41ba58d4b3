import { z } from 'zod'
import { call } from './call.ts'

/** What the console needs before login (docs/reference/api.md#status). Served from memory. */
const statusView = z.looseObject({
  version: z.string(),
  start_time: z.int(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  quota_per_unit: z.number(),
  quota_remind_threshold: z.number(),
  price: z.number(),
  usd_exchange_rate: z.number(),
  enable_online_topup: z.boolean(),
  display_in_currency: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  register_enabled: z.boolean(),
  email_verification: z.boolean(),
  password_login_enabled: z.boolean(),
  default_use_auto_group: z.boolean(),
  default_collapse_sidebar: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  mj_notify_enabled: z.boolean(),
  response_cache_enabled: z.boolean().optional(),
  chats: z.array(z.record(z.string(), z.string())),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  top_up_link: z.string(),
  min_topup: z.number(),
  pay_methods: z.array(z.looseObject({ name: z.string(), type: z.string() })),
})
export type Status = z.infer<typeof statusView>

/** The full status, including fields that only other clients use. */
export const publicStatus = z
  .object({
    ...statusView.shape,
    response_cache_enabled: z.boolean(),
    github_oauth: z.boolean(),
    linuxdo_oauth: z.boolean(),
    wechat_login: z.boolean(),
    telegram_oauth: z.boolean(),
    oidc_enabled: z.boolean(),
    oidc_client_id: z.string(),
    oidc_authorization_endpoint: z.string(),
    github_client_id: z.string(),
    linuxdo_client_id: z.string(),
    wechat_qrcode: z.string(),
    telegram_bot_name: z.string(),
    enable_batch_update: z.boolean().describe('Always false: charges are always written in batches.'),
    chat_link: z.string().describe('The chat site to which /chat2link redirects; empty if there is none.'),
    chat_devices: z.boolean().describe('Whether chats in a frame may use microphone and camera.'),
    keep_bodies: z.boolean(),
    keep_bodies_hours: z.number(),
    keep_bodies_viewers: z.string().describe('Who may see stored bodies.'),
    chat_link2: z.string().describe('Always empty; the presets are in `chats`.'),
  })
  .meta({ id: 'Status' })

export const status = {
  read: call({
    method: 'GET',
    path: '/api/status',
    summary: 'Returns the public facts of this gateway: its version, its name and its features.',
    access: 'public',
    answer: publicStatus,
  }),
  test: call({
    method: 'GET',
    path: '/api/status/test',
    summary: 'Checks the database and counts the open connections.',
    access: 'admin',
    answer: z.null(),
    extras: z.object({ http_stats: z.object({ active_connections: z.int() }) }),
  }),
  notice: call({
    method: 'GET',
    path: '/api/notice',
    summary: 'Returns the notice of the operator, as Markdown or HTML.',
    access: 'public',
    answer: z.string(),
  }),
  about: call({
    method: 'GET',
    path: '/api/about',
    summary: "Returns the operator's page about this gateway: Markdown, HTML or an address.",
    access: 'public',
    answer: z.string(),
  }),
  home: call({
    method: 'GET',
    path: '/api/home_page_content',
    summary: "Returns the operator's home page: Markdown, HTML or an address.",
    access: 'public',
    answer: z.string(),
  }),
}
