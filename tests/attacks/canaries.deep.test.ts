import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aHouse, question, seenBy } from '../process/house.ts'
import { aClient, dataOf, signedIn } from '../support/client.ts'
import { PASSWORD } from '../support/world.ts'

const planted = {
  channelKey: 'sk-canary-channel-7f1d0c9a',
  changedKey: 'canary-without-a-prefix-51aa',
  option: 'canary-option-9be2',
  proxyPassword: 'canary-proxy-6c20d1',
  header: 'canary-header-b1f7',
  guessed: 'canary-guess-0d3f',
  unknownKey: `canary${'k'.repeat(42)}`,
  prompt: 'canary-prompt-44e1',
  answer: 'canary-answer-83c7',
}

it('no secret is in clear in the database, its log, the journals or the output of the process', async () => {
  const house = await aHouse()
  const child = await house.start({ LOG_LEVEL: 'debug' })
  const root = await signedIn(child.url, 'root', PASSWORD)
  const channel = { type: 1, name: 'second', models: 'other', group: 'default', base_url: house.upstream.url }
  dataOf(await root.post('/api/channel', { ...channel, key: planted.channelKey }))
  const [{ id }] = dataOf(await root.get('/api/channel?id_sort=true&page_size=1'))
  const hidden = {
    name: 'third',
    models: 'behind',
    setting: `{"proxy":"http://user:${planted.proxyPassword}@127.0.0.1:1"}`,
    param_override: `{"extra_headers":{"x-team":"${planted.header}"}}`,
  }
  dataOf(await root.post('/api/channel', { ...channel, ...hidden, key: planted.channelKey }))
  const [third] = dataOf(await root.get('/api/channel?id_sort=true&page_size=1'))
  expect(JSON.stringify(third)).not.toMatch(/canary-(proxy|header)/)
  dataOf(await root.put('/api/channel', { id: third.id, setting: third.setting, param_override: third.param_override }))
  for (const key of ['SMTPToken', 'EpayKey', 'TurnstileSecretKey', 'oidc.client_secret'])
    dataOf(await root.put('/api/option', { key, value: planted.option }))
  await aClient(child.url).post('/api/user/login', { username: 'root', password: planted.guessed })
  await aClient(child.url).post('/api/user/login', { username: planted.guessed, password: planted.guessed })

  const [key] = house.keys
  const ask = (content: string, body: object = {}, token = key) => seenBy(child.url, { key: token, content, body })
  expect((await ask(question(3, 0))).done).toBe(true)
  expect((await ask('hello', {}, planted.unknownKey)).status).toBe(401)
  dataOf(await root.put('/api/option', { key: 'AutomaticDisableChannelEnabled', value: 'true' }))
  dataOf(await root.put('/api/option', { key: 'ModelRatio', value: '{"m":1,"other":1,"behind":1}' }))
  expect((await ask('hello', { model: 'behind' })).status).toBeGreaterThanOrEqual(500)
  for (const channelKey of [planted.channelKey, planted.changedKey]) {
    dataOf(await root.put('/api/channel', { ...channel, id, key: channelKey, status: 1 }))
    const echoed = { error: { message: `Incorrect API key provided: ${channelKey}`, code: 'invalid_api_key' } }
    house.upstream.answers({ status: 401, body: echoed })
    const refused = await ask(planted.prompt, { model: 'other' })
    expect(house.upstream.last().headers.authorization).toBe(`Bearer ${channelKey}`)
    expect(refused.text).not.toContain(channelKey)
    const disabled = dataOf(await root.get(`/api/channel/${id}`))
    expect(disabled.status).toBe(3)
    expect(JSON.stringify(disabled)).not.toContain(channelKey)
  }
  house.upstream.answers({ body: { choices: [{ message: { content: planted.answer } }] } })
  await ask(planted.prompt, { stream: false })
  house.upstream.streams([{ choices: [{ index: 0, delta: { content: planted.answer } }] }], { cutAfter: 1 })
  await ask(planted.prompt)

  // A backup is searched like everything else in the folder.
  dataOf(await root.post('/api/backup'))

  // Killed before the group commit: the last charges are only in the journal.
  child.kill('SIGKILL')
  const { out, err } = await child.ended
  const printed = { 'standard output': out, 'standard error': err }
  const secrets = {
    ...planted,
    password: PASSWORD,
    token: key ?? '',
    limited: house.keys[2] ?? '',
    session: sessionOf(root),
  }
  expect(Object.values(secrets).every((secret) => secret.length > 10)).toBe(true)
  expect(found({ ...filesIn(house.folder), ...printed }, secrets)).toEqual([])

  const again = await house.start({ LOG_LEVEL: 'debug' })
  expect(house.upstream.requests.length).toBeGreaterThan(2)
  again.kill('SIGTERM')
  const ended = await again.ended
  expect(found({ ...filesIn(house.folder), out: ended.out, err: ended.err }, secrets)).toEqual([])
})

const sessionOf = (client: { identity(): Record<string, string> }): string =>
  /session=([^;]+)/.exec(client.identity().cookie ?? '')?.[1] ?? ''

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
  )

/** The texts in which each secret occurs, in clear or in base64. */
function found(texts: Record<string, string>, secrets: Record<string, string>): string[] {
  const forms = Object.entries(secrets).flatMap(([name, secret]) => [
    [name, secret],
    [
      `${name} in base64`,
      Buffer.from(secret)
        .toString('base64')
        .replace(/.?.?=*$/, ''),
    ],
  ])
  return Object.entries(texts).flatMap(([place, text]) =>
    forms.filter(([, form = '']) => text.includes(form)).map(([name]) => `${name} in ${place}`),
  )
}
