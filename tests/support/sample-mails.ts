import { channelNotice } from '../../gateway/channels/health/channel-notices.ts'
import { composed, composedInBoth, type MailText } from '../../gateway/mail/compose.ts'
import type { Notice } from '../../gateway/notify/notice.ts'
import { nested } from '../../shared/messages/format.ts'

const site = 'Switchyard'
const at = 'https://gateway.example.com'
const link = `${at}/user/reset?email=ann%40example.com&token=3gJ0bW5v-2qTzYcK8XnLr7dUe1aPfHs4iVoGxMB9tQw`

const inOneLanguage: Readonly<Record<string, MailText>> = {
  code: {
    subject: 'mail.code_subject',
    body: 'mail.code_body',
    params: { site, code: '804217', min: 10 },
    stressed: '804217',
  },
  taken: { subject: 'mail.taken_subject', body: 'mail.taken_body', params: { site } },
  reset: { subject: 'mail.reset_subject', body: 'mail.reset_body', params: { site, min: 10, link } },
  moved: { subject: 'mail.moved_subject', body: 'mail.moved_body', params: { site, name: 'ann' } },
  test: { subject: 'mail.test_subject', body: 'mail.test_body', params: { site, link: at } },
}

const channel = { channelId: 12, name: 'OpenAI, Frankfurt' }
const reason =
  'status code 401: Incorrect API key provided: sk-proj-****************************************3xYz. You can find your API key at https://platform.openai.com/account/api-keys.'

const tested = { ok: true, message: '', seconds: 1, balance: null, switched: '' } as const

/** Mails to recipients of unknown language, as the gateway builds them. */
const inBoth: Readonly<Record<string, Pick<Notice, 'subject' | 'body' | 'params'> | undefined>> = {
  quota: {
    subject: 'mail.quota_subject',
    body: ['mail.quota_body'],
    params: { site, name: 'ann', quota: '$0.42', link: `${at}/topup` },
  },
  budget: {
    subject: 'mail.budget_subject',
    body: ['mail.budget_body'],
    params: {
      site,
      name: 'notebook',
      window: nested('budget.day'),
      limit: '$5.00',
      at: '2026-11-27 00:00 UTC',
      link: `${at}/token`,
    },
  },
  channel_off: channelNotice({ ...channel, kind: 'disabled', reason, lastFor: ['gpt-4o', 'gpt-4o-mini'] }),
  channel_on: channelNotice({ ...channel, kind: 'enabled', reason: 'the test passed' }),
  test_done: channelNotice({
    kind: 'tested',
    isScheduled: false,
    run: {
      kind: 'test',
      state: 'done',
      total: 3,
      started_at: 0,
      ended_at: 0,
      items: [
        { ...tested, channel_id: 3, name: 'Anthropic' },
        { ...tested, channel_id: 7, name: 'Gemini, backup', ok: false, message: 'no answer within 10 s' },
        {
          ...tested,
          channel_id: 12,
          name: 'OpenAI, Frankfurt',
          ok: false,
          message: 'status code 401',
          switched: 'off',
        },
      ],
    },
  }),
}

/** Each mail that the gateway sends, with plausible values, by the name of its messages: in one or both languages. */
export function sampleMails(): { name: string; subject: string; html: string }[] {
  const alone = Object.entries(inOneLanguage).flatMap(([name, words]) =>
    (['en', 'zh'] as const).map((locale) => ({ name: `${name}-${locale}`, ...composed(locale, words) })),
  )
  const both = Object.entries(inBoth).flatMap(([name, words]) =>
    words ? [{ name: `${name}-both`, ...composedInBoth(words) }] : [],
  )
  return [...alone, ...both]
}
