import { endpoint, ownAddress, picture, requiredName, shownEndpoint, shownText, text } from './kinds.ts'
import { option } from './option.ts'

/** The site's address and appearance (docs/reference/options.md#areas). */
export const site = {
  /** Empty means the address the gateway listens on; see gateway/settings/settings.ts. */
  ServerAddress: option({ ...ownAddress, default: '', panel: 'system/general', publishAs: 'server_address' }),
  /** The URL of the newest release, in the format of GitHub's API; empty disables the check. */
  UpdateCheckUrl: option({ ...endpoint, default: '', panel: 'other/system' }),
  Notice: option({ ...text, default: '', panel: 'other/notice' }),
  SystemName: option({
    ...requiredName,
    default: 'Switchyard',
    panel: 'other/personalization',
    publishAs: 'system_name',
  }),
  Logo: option({ ...picture, default: '', panel: 'other/personalization', publishAs: 'logo' }),
  HomePageContent: option({ ...text, default: '', panel: 'other/personalization' }),
  About: option({ ...text, default: '', panel: 'other/personalization' }),
  Footer: option({ ...shownText, default: '', panel: 'other/personalization', publishAs: 'footer_html' }),
  TopUpLink: option({ ...shownEndpoint, default: '', panel: 'operation/general', publishAs: 'top_up_link' }),
  'general_setting.docs_link': option({
    ...shownEndpoint,
    default: '',
    panel: 'operation/general',
    publishAs: 'docs_link',
  }),
}
