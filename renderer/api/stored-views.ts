import * as z from 'zod/mini'
import type { Status } from '../../shared/api/status.ts'
import type { SignedIn } from '../../shared/api/user.ts'

export const storedUser = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  group: z.string(),
}) satisfies z.ZodMiniType<SignedIn>

export const storedStatus = z.looseObject({
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
  chats: z.array(z.record(z.string(), z.string())),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  top_up_link: z.string(),
  min_topup: z.number(),
  pay_methods: z.array(z.looseObject({ name: z.string(), type: z.string() })),
}) satisfies z.ZodMiniType<Status>
