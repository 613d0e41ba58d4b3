import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMailer } from '../../../gateway/mail/mailer.ts'
import { aClient } from '../../support/client.ts'
import { aWorld, type Options } from '../../support/world.ts'
import { aMailServer, partOf } from './mail-server.ts'

const account = {
  SMTPServer: '127.0.0.1',
  SMTPAccount: 'gateway',
  SMTPToken: 'a-mail-password',
  SMTPFrom: 'gateway@example.com',
} as const
const to = 'someone@example.org'

async function aHouse(options: Options) {
  const world = await aWorld({ options })
  return { ...world, sends: (receiver = to) => world.admin.post('/api/option/test_mail', { to: receiver }) }
}

describe('a test mail (docs/reference/options.md#mail)', () => {
  it('is sent with the stored settings, as text and as HTML, and returns the server’s reply', async () => {
    const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
    const { sends, url } = await aHouse({ ...account, SMTPPort: port, SystemName: 'Yard & <Sons>' })
    const reply = await sends()
    expect(reply).toMatchObject({ success: true, data: { said: expect.stringMatching(/^250 /) } })
    expect(taken).toMatchObject([{ from: 'gateway@example.com', to: [to], isSecure: false, user: 'gateway' }])
    const raw = taken[0]?.raw ?? ''
    expect(raw).toMatch(/^From: "?Yard & <Sons>"? <gateway@example.com>/m)
    expect(raw).toMatch(/^Subject: Yard & <Sons>: test email/m)
    expect(raw).toMatch(/^Date: /m)
    expect(raw).toMatch(/^Message-ID: <[^>]+@example\.com>/m)
    expect(partOf(raw, 'text/plain')).toContain(
      `This is a test email from Yard & <Sons>.\n\nThe mail settings work. Console: ${url}`,
    )
    expect(partOf(raw, 'text/html')).toContain('This is a test email from Yard &amp; &lt;Sons&gt;.</p>')
    expect(partOf(raw, 'text/html')).toContain(`<a href="${url}">${url}</a>`)
  })

  it("speaks the caller's language", async () => {
    const { port, taken } = await aMailServer({ hideSTARTTLS: true })
    const { admin, url } = await aHouse({ ...account, SMTPPort: port })
    await aClient(url, { ...admin.identity(), 'accept-language': 'zh-CN' }).post('/api/option/test_mail', { to })
    expect(partOf(taken[0]?.raw ?? '', 'text/plain')).toContain('这是 Switchyard 发送的测试邮件。')
    expect(partOf(taken[0]?.raw ?? '', 'text/html')).toContain('<html lang="zh-CN">')
  })

  it.each([
    ['STARTTLS, where the server offers it', { secure: false }, {}],
    ['TLS from the first byte', { secure: true }, { SMTPSSLEnabled: true }],
  ] as const)(
    'is encrypted by %s; a certificate that cannot be verified is refused unless that is allowed',
    async (_, server, more) => {
      const { port, taken } = await aMailServer(server)
      const { sends, option } = await aHouse({ ...account, ...more, SMTPPort: port })
      expect((await sends()).message).toMatch(/^Cannot establish an encrypted connection to the mail server: /)
      expect(taken).toEqual([])
      await option('SMTPSkipVerifyEnabled', true)
      expect((await sends()).success).toBe(true)
      expect(taken).toMatchObject([{ isSecure: true, user: 'gateway' }])
    },
  )

  it('to a server that greets in clear text where SSL is on recommends turning it off', async () => {
    const { port } = await aMailServer({ secure: false })
    const { sends } = await aHouse({ ...account, SMTPPort: port, SMTPSSLEnabled: true })
    const { message } = await sends()
    expect(message).toMatch(/^This port of the mail server begins without encryption\. Turn off “Use SSL”/)
  })

  it('is never sent with the password to a server without STARTTLS, unless that is on this machine or a private network', async () => {
    const seen: string[] = []
    const { port, taken } = await aMailServer({
      secure: false,
      disabledCommands: ['STARTTLS'],
      onAuth({ password }, _, done) {
        seen.push(password ?? '')
        done(null, { user: 'gateway' })
      },
    })
    // A form of this machine's address that is not recognized as one, so it is treated as a remote host name.
    const { sends, option } = await aHouse({ ...account, SMTPServer: '127.1', SMTPPort: port })
    expect((await sends()).message).toMatch(/^The mail server offers no encryption \(STARTTLS\) on this port/)
    expect([seen, taken]).toEqual([[], []])
    await option('SMTPToken', '')
    expect((await sends()).success, 'without a password').toBe(true)
    await option('SMTPServer', '127.0.0.1')
    await option('SMTPToken', account.SMTPToken)
    expect((await sends()).success).toBe(true)
    expect(seen).toEqual([account.SMTPToken])
  })

  it('reports the server’s refusal, and never the password', async () => {
    const { port } = await aMailServer({
      hideSTARTTLS: true,
      onRcptTo: (_, __, done) => done(Object.assign(new Error('No such mailbox here'), { responseCode: 550 })),
    })
    const { sends, option } = await aHouse({ ...account, SMTPPort: port })
    expect((await sends()).message).toMatch(/^The mail server rejected the email: 550 .*No such mailbox here/)
    await option('SMTPToken', 'another-mail-password')
    const refused = await sends()
    expect(refused.message).toMatch(
      /^The mail server rejected the account or credential: 535 .*Invalid credentials \*\*\*/,
    )
    expect(JSON.stringify(refused.body)).not.toContain('another-mail-password')
  })

  it('is sent without a password where none is stored', async () => {
    const { port, taken } = await aMailServer({ hideSTARTTLS: true })
    const { sends } = await aHouse({ SMTPServer: '127.0.0.1', SMTPPort: port, SMTPAccount: 'gateway@example.com' })
    expect((await sends()).success).toBe(true)
    expect(taken).toMatchObject([{ from: 'gateway@example.com', user: undefined }])
  })

  it('reports settings that are missing or invalid', async () => {
    const { sends, option } = await aHouse({})
    expect((await sends()).message).toBe('The mail server is not configured')
    await option('SMTPServer', '127.0.0.1')
    await option('SMTPPort', await aClosedPort())
    expect((await sends()).message).toMatch(/^The sender address is not valid/)
    await option('SMTPFrom', 'gateway@example.com')
    expect((await sends()).message).toMatch(/^Cannot connect to the mail server: .*ECONNREFUSED/)
    await option('SMTPServer', '169.254.169.254')
    expect((await sends()).message).toBe('This mail server address cannot be used')
    for (const address of ['', 'nobody', 'a@b.c\nBcc: x@y.z', 'a@b.org,c@d.org'])
      expect((await sends(address)).message, address).toBe('Invalid email address')
  })

  it('is for operators', async () => {
    const { user } = await aHouse({})
    const somebody = await user()
    expect((await somebody.post('/api/option/test_mail', { to })).message).toBe('You do not have permission to do this')
  })
})

describe('a mail server that does not respond', () => {
  it('is left within the time limits', async () => {
    const port = await aSilentPort()
    const values: Record<string, unknown> = { ...account, SMTPPort: port, SystemName: 'Yard' }
    // Not through a world, which could not have limits this short; the mailer reads settings only by name.
    const settings = { get: (key: string) => values[key] ?? '' } as Parameters<typeof createMailer>[0]['settings']
    const clock = { now: () => 0 }
    const mail = { to, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
    for (const limits of [
      { stepMs: 50, wholeMs: 10_000 },
      { stepMs: 10_000, wholeMs: 50 },
    ])
      await expect(createMailer({ settings, clock, limits }).send(mail)).rejects.toMatchObject({
        kind: 'timeout',
        key: 'smtp.timeout',
      })
  })
})

async function aClosedPort(): Promise<number> {
  const { port, close } = await aPort(() => {})
  await close()
  return port
}

async function aSilentPort(): Promise<number> {
  const sockets: Socket[] = []
  const { port, close } = await aPort((socket) => void sockets.push(socket.on('error', () => {})))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return close()
  })
  return port
}

async function aPort(onSocket: (socket: Socket) => void) {
  const server = createServer(onSocket)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, close: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
}
