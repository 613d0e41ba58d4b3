import {
  between,
  choice,
  flag,
  interval,
  jsonOf,
  ledgerDays,
  ownAddress,
  rate,
  rateUpTo,
  retentionDays,
} from './kinds.ts'
import { option } from './option.ts'
import { chats } from './shapes.ts'

/** General operation, logs, dashboard and chat presets (docs/reference/options.md#areas). */
export const operation = {
  /** Quota per US dollar. Stored amounts are in quota, so a change revalues them. */
  QuotaPerUnit: option({
    ...rateUpTo(1_000_000_000),
    default: 500_000,
    panel: 'operation/general',
    publishAs: 'quota_per_unit',
  }),
  /** Maximum number of further tries after the first one has failed, each with one channel and key. */
  RetryTimes: option({ ...between(0, 10), default: 2, panel: 'operation/general' }),
  /** CNY per US dollar, for display only. */
  USDExchangeRate: option({ ...rate, default: 7.3, panel: 'operation/general', publishAs: 'usd_exchange_rate' }),
  DisplayInCurrencyEnabled: option({
    ...flag,
    default: true,
    panel: 'operation/general',
    publishAs: 'display_in_currency',
  }),
  DisplayTokenStatEnabled: option({ ...flag, default: true, panel: 'operation/general' }),
  DefaultCollapseSidebar: option({
    ...flag,
    default: false,
    panel: 'operation/general',
    publishAs: 'default_collapse_sidebar',
  }),
  DemoSiteEnabled: option({ ...flag, default: false, panel: 'operation/general', publishAs: 'demo_site_enabled' }),
  SelfUseModeEnabled: option({
    ...flag,
    default: false,
    panel: 'operation/general',
    publishAs: 'self_use_mode_enabled',
  }),
  LogConsumeEnabled: option({ ...flag, default: true, panel: 'operation/log' }),
  /** Logs failed requests, as rows of type 5 (docs/reference/logs.md#failures). */
  ErrorLogEnabled: option({ ...flag, default: true, panel: 'operation/log' }),
  /** Retention of usage log entries in days; 0 is unlimited. */
  LogRetentionDays: option({ ...retentionDays, default: 365, panel: 'operation/log' }),
  /** Approximate maximum size of the usage log in megabytes; 0 is unlimited. */
  LogRetentionMegabytes: option({ ...between(0, 10_000_000), default: 0, panel: 'operation/log' }),
  /** Retention of single charges in the ledger in days; 0 is unlimited. */
  LedgerRetentionDays: option({ ...ledgerDays, default: 365, panel: 'operation/log' }),
  /** Approximate maximum size of single charges in megabytes; 0 is unlimited. */
  LedgerRetentionMegabytes: option({ ...between(0, 10_000_000), default: 0, panel: 'operation/log' }),
  DataExportEnabled: option({
    ...flag,
    default: true,
    panel: 'operation/dashboard',
    publishAs: 'enable_data_export',
  }),
  /** Minutes between two reloads of the charts of an open dashboard. */
  DataExportInterval: option({ ...interval(60), default: 5, panel: 'operation/dashboard' }),
  DataExportDefaultTime: option({
    ...choice(['hour', 'day', 'week']),
    default: 'hour',
    panel: 'operation/dashboard',
    publishAs: 'data_export_default_time',
  }),
  Chats: option({
    ...jsonOf(chats),
    default: [
      { 'ChatGPT Next Web': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
      {
        'Lobe Chat':
          'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
      },
      {
        'AI as Workspace':
          'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
      },
      { AMA: 'ama://set-api-key?server={address}&key={key}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ],
    panel: 'operation/chats',
    publishAs: 'chats',
  }),
  /** The chat site that `/chat2link` links to; empty if there is none. */
  ChatLink: option({ ...ownAddress, default: '', panel: 'operation/chats', publishAs: 'chat_link' }),
  /** Whether embedded chats may request microphone and camera. */
  ChatDevicesEnabled: option({ ...flag, default: false, panel: 'operation/chats', publishAs: 'chat_devices' }),
}
