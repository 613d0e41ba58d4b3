import { describe, expect, it } from 'vitest'
import type { LocalFinding } from '../../../../shared/api/local-models.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { aFreePort, aProgram, aSocket, jan, llamaCpp, llamaCppLocked, lmStudio, ollama, vllm } from './programs.ts'

const probe = async (world: World, ...addresses: (string | { address: string; key: string })[]) =>
  dataOf(
    await world.admin.post('/api/local-models/probe', {
      targets: addresses.map((one) => (typeof one === 'string' ? { address: one } : one)),
    }),
  ) as LocalFinding[]
const add = (world: World, address: string, more: object = {}) =>
  world.admin.post('/api/local-models/add', { address, ...more })
const listed = async (world: World) => dataOf(await world.admin.get('/api/local-models'))
const modelsOf = async (world: World, id: number): Promise<string[]> =>
  dataOf(await world.admin.get(`/api/channel/${id}`)).models.split(',')
const runJob = async (world: World) => {
  dataOf(await world.admin.post('/api/job/local-models/run'))
  await expect
    .poll(async () => {
      const jobs = dataOf(await world.admin.get('/api/job'))
      const { running, last } = jobs.find(({ name }: { name: string }) => name === 'local-models')
      return running === null && last?.outcome
    })
    .toBe('done')
  world.clock.advance(11_000)
}

describe('looking for local programs (docs/reference/local-models.md#states)', () => {
  it('identifies the five programs, distinguishes one that needs a key from one that is absent, and lists models with their size', async () => {
    const [one, two, three, four, five] = await Promise.all([
      aProgram(ollama('gemma3:4b', 'llama3.2:latest')),
      aProgram(lmStudio),
      aProgram(llamaCpp),
      aProgram(vllm),
      aProgram(jan('secret')),
    ])
    const ports = { ollama: one.port, 'lm-studio': two.port, 'llama-cpp': three.port, vllm: four.port, jan: five.port }
    const world = await aWorld({ local: { ports } })
    const found = await probe(world)
    expect(found.map(({ program, state }) => [program, state])).toEqual([
      ['ollama', 'found'],
      ['lm-studio', 'found'],
      ['llama-cpp', 'found'],
      ['vllm', 'found'],
      ['jan', 'needs_key'],
    ])
    expect(found.map(({ models }) => models.map(({ name, bytes }) => [name, bytes]))).toEqual([
      [
        ['gemma3:4b', 3_338_801_804],
        ['llama3.2:latest', 3_338_801_804],
      ],
      [['qwen2-vl-7b-instruct', 0]],
      [['ggml-org/gpt-oss-20b-GGUF', 12_104_330_240]],
      [['meta-llama/Llama-3.1-8B-Instruct', 0]],
      [],
    ])
    const [opened, wrong] = await probe(
      world,
      { address: `localhost:${five.port}`, key: 'secret' },
      { address: five.url, key: 'wrong' },
    )
    expect(opened).toMatchObject({ state: 'found', program: 'jan', models: [{ name: 'jan-v3-4b-base-instruct' }] })
    expect(wrong).toMatchObject({ state: 'needs_key', program: 'jan' })
    expect(new Set([one, two, three, four].flatMap(({ asked }) => asked.map((call) => call.authorization)))).toEqual(
      new Set(['']),
    )
  })

  it('sends no request before a search is started', async () => {
    const program = await aProgram(ollama('gemma3:4b'))
    const world = await aWorld({ local: { ports: { ollama: program.port } } })
    expect(await listed(world)).toEqual([])
    await runJobOnce(world)
    expect(program.asked).toEqual([])
  })

  it('knows a locked llama.cpp by its header, and Ollama without any model', async () => {
    const [locked, empty] = await Promise.all([aProgram(llamaCppLocked), aProgram(ollama())])
    const world = await aWorld()
    const [first, second] = await probe(world, locked.url, empty.url)
    expect(first).toMatchObject({ state: 'needs_key', program: 'llama-cpp' })
    expect(second).toMatchObject({ state: 'found', program: 'ollama', models: [] })
    expect((await add(world, empty.url)).message).toBe('This program has no models')
  })

  it('treats every server on the port as hostile: it follows no redirect, and limits time, size and content of its answers', async () => {
    const elsewhere = await aProgram(ollama('moved'))
    const endless = await aSocket((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write('['.repeat(65_536)));
      }
      socket.on('drain', more)
      more()
    })
    const headers = await aSocket((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`))
    const silent = await aSocket(() => {})
    const cut = await aSocket((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'))
    const noise = await aSocket((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    const page = await aProgram({ '/v1/models': { body: '<!doctype html><title>A router</title>' } })
    const moved = await aProgram({
      '/v1/models': { status: 302, headers: { location: `${elsewhere.url}/v1/models` } },
    })
    const odd = await aProgram({
      '/v1/models': {
        body: {
          object: 'list',
          data: ['a,b', 'x\u202ey', '', ' padded', 'y'.repeat(300), '__proto__', 'fine', 'fine'].map((id) => ({ id })),
        },
      },
    })
    const crowd = await aProgram({
      '/v1/models': { body: { object: 'list', data: Array.from({ length: 700 }, (_, n) => ({ id: `m${n}` })) } },
    })
    const free = await aFreePort()
    const world = await aWorld()
    const places = [headers, silent, cut, noise, free].map((port) => `127.0.0.1:${port}`)
    const states = (await probe(world, ...places, page.url, moved.url)).map(({ state, status }) => [state, status])
    // The speed of this endless response decides whether the size limit or the time limit ends it.
    expect(['other', 'silent']).toContain((await probe(world, `127.0.0.1:${endless}`))[0]?.state)
    expect(states).toEqual([
      ['other', 0],
      ['silent', 0],
      ['other', 0],
      ['other', 0],
      ['offline', 0],
      ['other', 200],
      ['other', 302],
    ])
    expect(elsewhere.asked).toEqual([])
    const [named, many] = await probe(world, odd.url, crowd.url)
    expect(named).toMatchObject({ program: 'openai', left: 5, models: [{ name: '__proto__' }, { name: 'fine' }] })
    expect(many?.models.length).toBe(500)
    expect(many?.left).toBe(200)
  })

  it('connects only to this machine and private networks, for any address entered', async () => {
    const world = await aWorld()
    const refused = [
      'example.com:11434',
      '8.8.8.8:80',
      '169.254.169.254',
      'metadata.google.internal',
      'user:pw@127.0.0.1:1',
      'ftp://127.0.0.1:1',
      '2130706433.example:80',
      '[2001:4860:4860::8888]:80',
      '',
    ]
    for (const address of refused) {
      const answer = await world.admin.post('/api/local-models/probe', { targets: [{ address }] })
      expect([address, answer.message]).toEqual([address, 'Enter host:port of this computer or a private network'])
    }
  })

  it('is only for the super administrator', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    for (const path of ['probe', 'add', 'update'])
      expect((await admin.post(`/api/local-models/${path}`, { address: '127.0.0.1:1', channel_id: 1 })).success).toBe(
        false,
      )
    expect((await admin.get('/api/local-models')).success).toBe(false)
  })
})

/** A job that found nothing to do records a run only if the run was requested. */
const runJobOnce = runJob

describe('a channel of a local program (docs/reference/local-models.md#price)', () => {
  it('is added in one click with its models under their names, answers, and costs nothing', async () => {
    const world = await aWorld()
    const alice = await world.user({ quota: 1_000_000 })
    const program = await aProgram({
      ...ollama('gemma3:4b'),
      '/v1/chat/completions': {
        headers: { 'content-type': 'application/json' },
        body: chatAnswer('hello', { prompt: 1000, completion: 2000 }),
      },
    })
    const { channel_id: id, models } = dataOf(await add(world, program.url))
    expect(models).toEqual(['gemma3:4b'])
    expect(dataOf(await world.admin.get(`/api/channel/${id}`))).toMatchObject({
      type: 4,
      name: 'Ollama',
      models: 'gemma3:4b',
    })
    expect((await alice.asks('gemma3:4b', 'hi')).status).toBe(200)
    expect(await alice.quota()).toBe(1_000_000)
    const prices = dataOf(await world.admin.post('/api/channel/prices', { models: ['gemma3:4b'] }))
    expect(prices).toEqual([{ model: 'gemma3:4b', input: 0, output: 0, fixed: null }])
    expect((await add(world, `localhost:${program.port}`)).message).toBe('The channel Ollama already uses this address')
    expect((await probe(world, program.url))[0]).toMatchObject({ channel_id: id, channel_name: 'Ollama' })
  })

  it('is added once by two clicks', async () => {
    const world = await aWorld()
    const program = await aProgram(vllm)
    const both = await Promise.all([add(world, program.url), add(world, program.url)])
    expect(both.filter(({ success }) => success).length).toBe(1)
    expect((await listed(world)).length).toBe(1)
  })

  it('stores the key it needs, and sends it', async () => {
    const world = await aWorld({ local: { ports: {} } })
    const program = await aProgram(llamaCpp)
    const { channel_id: id } = dataOf(await add(world, program.url, { key: 'a-key' }))
    await world.admin.post('/api/local-models/update', { channel_id: id })
    expect(program.asked.at(-1)).toEqual({ path: '/v1/models', authorization: 'Bearer a-key' })
    expect(JSON.stringify([await listed(world), await probe(world, program.url)])).not.toContain('a-key')
  })

  it('makes nothing free that another channel has, neither now nor later, and leaves its price unchanged', async () => {
    const name = 'meta-llama/Llama-3.1-8B-Instruct'
    const world = await aWorld({ options: { ModelRatio: { [name]: 2 }, CompletionRatio: { [name]: 1 } } })
    const program = await aProgram(vllm)
    const alice = await world.user({ quota: 1_000_000 })
    const priced = async () => dataOf(await world.admin.post('/api/channel/prices', { models: [name] }))[0].input
    dataOf(await add(world, program.url))
    expect(await priced()).toBe(0)

    const paid = await world.channel({ models: name, priority: 5 })
    expect(await priced()).toBe(4)
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 100, completion: 50 }) })
    await alice.asks(name, 'hi')
    expect(await alice.quota()).toBe(1_000_000 - 300) // 2 × (100 + 50)
    expect((await probe(world, program.url))[0]?.models).toEqual([{ name, bytes: 0, is_elsewhere: true }])

    await world.admin.put('/api/channel', { id: paid, status: 2 })
    expect(await priced()).toBe(4)
    await world.admin.delete(`/api/channel/${paid}`)
    expect(await priced()).toBe(0)
  })

  it('costs the set price where a channel that is not free is requested by its number', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gemma3:4b': 2 }, CompletionRatio: { 'gemma3:4b': 1 } } })
    const program = await aProgram(ollama('gemma3:4b'))
    dataOf(await add(world, program.url))
    const paid = await world.channel({ models: 'other' })
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 100, completion: 50 }) })
    const before = await world.admin.quota()
    const { status } = await world.admin.asks('gemma3:4b', 'hi', { key: `${await world.admin.key()}-${paid}` })
    expect([status, before - (await world.admin.quota())]).toEqual([200, 300]) // 2 × (100 + 50)
  })

  it('is free only on this machine and in private networks: the flag has no effect elsewhere', async () => {
    const world = await aWorld({ options: { ModelRatio: { cloud: 1 } } })
    const setting = JSON.stringify({ free_of_charge: true })
    await world.channel({ models: 'cloud', base_url: 'https://api.example.com', setting })
    expect(dataOf(await world.admin.post('/api/channel/prices', { models: ['cloud'] }))[0].input).toBe(2)
  })
})

describe('models that come and go (docs/reference/local-models.md#changes)', () => {
  it('are reported by the job and taken over by one click', async () => {
    const world = await aWorld()
    const program = await aProgram(ollama('one', 'two'))
    const { channel_id: id } = dataOf(await add(world, program.url))
    program.says(ollama('two', 'three'))
    await runJob(world)
    expect(await listed(world)).toMatchObject([{ channel_id: id, state: 'found', fresh: ['three'], missing: ['one'] }])
    expect(await modelsOf(world, id)).toEqual(['one', 'two'])
    dataOf(await world.admin.post('/api/local-models/update', { channel_id: id }))
    expect(await modelsOf(world, id)).toEqual(['two', 'three'])
    expect(await listed(world)).toMatchObject([{ fresh: [], missing: [] }])
  })

  it('are taken over automatically where that was chosen, except for names that other channels have', async () => {
    const world = await aWorld()
    const program = await aProgram(ollama('one'))
    await world.channel({ models: 'gpt-4o' })
    const { channel_id: id } = dataOf(await add(world, program.url))
    dataOf(await world.admin.put('/api/local-models', { channel_id: id, takes: true }))
    program.says(ollama('two', 'gpt-4o'))
    await runJob(world)
    expect(await modelsOf(world, id)).toEqual(['two'])
    expect(await listed(world)).toMatchObject([{ takes: true, fresh: ['gpt-4o'], missing: [] }])
  })

  it('never empties a channel, and changes nothing of one whose program is offline or gone mad', async () => {
    const world = await aWorld({ local: { timeoutMs: 5000 } })
    const program = await aProgram(ollama('one', 'two'))
    const { channel_id: id } = dataOf(await add(world, program.url, { takes: true }))
    program.says(ollama())
    await runJob(world)
    expect(await modelsOf(world, id)).toEqual(['one', 'two'])
    expect((await world.admin.post('/api/local-models/update', { channel_id: id })).message).toBe(
      'This program has no models',
    )
    program.says({ '/v1/models': { body: 'nonsense' } })
    await runJob(world)
    await program.stop()
    await runJob(world)
    expect(await modelsOf(world, id)).toEqual(['one', 'two'])
    expect(await listed(world)).toMatchObject([{ state: 'offline', fresh: [], missing: [] }])
    expect(dataOf(await world.admin.get(`/api/channel/${id}`)).status).toBe(1)
  })

  it('do not change names that the channel maps, nor a channel whose address was changed', async () => {
    const world = await aWorld()
    const program = await aProgram(ollama('one'))
    const { channel_id: id } = dataOf(await add(world, program.url, { takes: true }))
    await world.admin.put('/api/channel', { id, models: 'one,house', model_mapping: '{"house":"one"}' })
    program.says(ollama('two'))
    await runJob(world)
    expect(await modelsOf(world, id)).toEqual(['house', 'two'])
    const before = program.asked.length
    dataOf(await world.admin.put('/api/channel', { id, base_url: 'https://api.example.com', key: 'k' }))
    await runJob(world)
    expect(program.asked.length).toBe(before)
    expect(await modelsOf(world, id)).toEqual(['house', 'two'])
  })
})
