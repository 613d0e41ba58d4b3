import { between, flag, lines, numberBetween, quotaAmount } from './kinds.ts'
import { option } from './option.ts'

/**
 * When channels are disabled and users warned (docs/reference/options.md#areas,
 * docs/reference/selection.md#should-disable-rule).
 */
export const monitoring = {
  /** Seconds a channel test may take before the channel is disabled; 0 turns this off. */
  ChannelDisableThreshold: option({ ...numberBetween(0, 3600), default: 5, panel: 'operation/monitoring' }),
  /** Quota below which a user is reminded, unless they have set their own threshold. */
  QuotaRemindThreshold: option({
    ...quotaAmount,
    default: 500_000,
    panel: 'operation/monitoring',
    publishAs: 'quota_remind_threshold',
  }),
  AutomaticDisableChannelEnabled: option({ ...flag, default: false, panel: 'operation/monitoring' }),
  /** Number of failures after which a channel is disabled, if they indicate a dead key or account. */
  'monitor_setting.disable_after_failures': option({ ...between(1, 100), default: 1, panel: 'operation/monitoring' }),
  /** Minutes within which these failures must occur. */
  'monitor_setting.disable_within_minutes': option({ ...between(1, 1440), default: 10, panel: 'operation/monitoring' }),
  AutomaticEnableChannelEnabled: option({ ...flag, default: false, panel: 'operation/monitoring' }),
  /** One phrase per line, case-insensitive; read it through `linesOf`. */
  AutomaticDisableKeywords: option({
    ...lines,
    default: [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ].join('\n'),
    panel: 'operation/monitoring',
  }),
}
