import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composed, composedInBoth } from '../../../gateway/mail/compose.ts'
import { mailRefusal } from '../../../gateway/mail/mail-refusal.ts'
import { en } from '../../../shared/messages/en.ts'
import { sampleMails } from '../../support/sample-mails.ts'

const said = (site: string, link = 'https://yard.example') =>
  composed('en', { subject: 'mail.test_subject', body: 'mail.test_body', params: { site, link } })

describe('the words of a mail (docs/reference/options.md#mail)', () => {
  it('are a text, and paragraphs in HTML whose addresses are links', () => {
    const { subject, text, html } = said('Yard', 'https://yard.example/a?b=1&c=2')
    expect(subject).toBe('Yard: test email')
    expect(text).toBe(
      'This is a test email from Yard.\n\nThe mail settings work. Console: https://yard.example/a?b=1&c=2',
    )
    expect(html).toContain('<p>This is a test email from Yard.</p>')
    const address = 'https://yard.example/a?b=1&amp;c=2'
    expect(html).toContain(`<a href="${address}">${address}</a></p>`)
  })

  it('link only to addresses of the gateway: no user can send others a link in their name', () => {
    const { html } = said('https://evil.example')
    expect(html).toContain('email from https://evil.example.</p>')
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(said('Yard', 'javascript:alert(1)').html).not.toContain('<a ')
  })

  it('have a code large, and no address is broken by it', () => {
    const params = { site: 'Yard', code: '123456', min: 10, link: 'https://yard.example/123456' }
    const { html, text } = composed('en', {
      subject: 'mail.code_subject',
      body: 'mail.code_body',
      params,
      stressed: '123456',
    })
    expect(text).toContain('code is 123456.')
    expect(html).toMatch(/code is <b style="[^"<>]*">123456<\/b>\./)
    expect(html).not.toMatch(/<[^>]*<b /)
  })

  it('are in both languages for an account without a language', () => {
    const params = { site: 'A & B', link: 'https://yard.example', name: 'One' }
    const both = composedInBoth({
      subject: 'mail.channel_on_subject',
      body: ['mail.test_body', 'mail.test_done'],
      params,
    })
    expect(both.subject).toBe('Channel One was enabled / 渠道 One 已启用')
    const [english, chinese] = both.text.split('这是')
    expect(english?.trim().split('\n\n')).toHaveLength(3)
    expect(chinese).toContain('A & B')
    expect(both.html.match(/<div lang="(en|zh-CN)"><p>.*?A &amp; B.*?<\/p><\/div>/g)).toHaveLength(2)
    expect(both.html.match(/<a href="https:\/\/yard.example">/g)).toHaveLength(2)
  })

  it('are looked at as pictures, each of them: npm run screenshots -- mail', () => {
    const subjects = Object.keys(en).filter((key) => /^mail\.\w+_subject$/.test(key))
    const shown = new Set(sampleMails().map(({ name }) => `mail.${name.split('-')[0]}_subject`))
    expect([...shown].sort()).toEqual(subjects.sort())
    for (const { name, html } of sampleMails()) expect(html, name).not.toMatch(/[{}]|undefined|null/)
  })

  it('make no markup of a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>"&\'ab :/.https') }), (site) => {
        const tags = said(site).html.match(/<(?!\/?(html|head|body|div|h1|p|a|br)\b|!doctype|meta )/g)
        expect(tags).toBeNull()
        expect(said(site).html).not.toMatch(/href="[^"]*[<>']/)
      }),
    )
  })
})

describe('the reply of a mail server', () => {
  const refusal = (response: string, password: string) =>
    mailRefusal(Object.assign(new Error(response), { code: 'EAUTH', response }), password).params.said

  it('is shown without the password, in every form in which it is echoed', () => {
    const password = 'an-old-password'
    const plain = Buffer.from(`\0gateway\0${password}`).toString('base64')
    const alone = Buffer.from(password).toString('base64')
    for (const form of [password, plain, alone])
      expect(refusal(`535 no ${form} here`, password)).toBe('535 no *** here')
  })

  it('is one line of bounded length', () => {
    expect(refusal('535-no\r\n535 \u0007never', 'x-x-x')).toBe('535-no 535 never')
    expect(refusal('n'.repeat(1000), 'x-x-x')).toHaveLength(301)
  })
})
