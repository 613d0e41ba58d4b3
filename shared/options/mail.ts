import { address, between, flag, line, text } from './kinds.ts'
import { option } from './option.ts'

/**
 * The mail server, and the worker that sends requests on the gateway's behalf (docs/reference/options.md#areas,
 * docs/reference/limits.md#files-named-by-url).
 */
export const mail = {
  SMTPServer: option({ ...line, default: '', panel: 'system/smtp' }),
  SMTPPort: option({ ...between(1, 65_535), default: 587, panel: 'system/smtp' }),
  SMTPAccount: option({ ...line, default: '', panel: 'system/smtp' }),
  SMTPFrom: option({ ...line, default: '', panel: 'system/smtp' }),
  SMTPToken: option({ ...text, default: '', panel: 'system/smtp', secret: true, sentTo: 'SMTPServer' }),
  SMTPSSLEnabled: option({ ...flag, default: false, panel: 'system/smtp' }),
  /** Accepts mail servers with unverifiable certificates. */
  SMTPSkipVerifyEnabled: option({ ...flag, default: false, panel: 'system/smtp' }),
  WorkerUrl: option({ ...address, default: '', panel: 'system/worker' }),
  WorkerValidKey: option({ ...line, default: '', panel: 'system/worker', secret: true, sentTo: 'WorkerUrl' }),
  WorkerAllowHttpImageRequestEnabled: option({ ...flag, default: false, panel: 'system/worker' }),
}
