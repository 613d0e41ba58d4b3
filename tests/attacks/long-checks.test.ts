import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wereAllSent } from '../../gateway/relay/routing/echoed-text.ts'
import { nameText } from '../../shared/api/fields.ts'
import { options } from '../../shared/options/index.ts'
import { aWorld } from '../support/world.ts'

describe('a text over its limit', () => {
  it('is not checked any further (docs/reference/security.md#input)', () => {
    const { error } = nameText(50).safeParse('\u{1f600}'.repeat(250_000))
    expect(error?.issues).toHaveLength(1)
  })
})

/**
 * The ratio of the times that two functions take: the best of many alternating rounds, so that a busy machine affects
 * both.
 */
async function ratio(work: () => unknown, other: () => unknown): Promise<number> {
  const time = async (one: () => unknown) => {
    const start = performance.now()
    await one()
    return performance.now() - start
  }
  let [best, bestOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 20; round += 1) {
    best = Math.min(best, await time(work))
    bestOther = Math.min(bestOther, await time(other))
  }
  return best / bestOther
}

describe('quadratic time', () => {
  it('is not caused by combining marks in a vendor’s echo', async () => {
    const sent = (content: string) => ({
      call: { bytes: Buffer.from('{}'), json: { messages: [{ content }] }, form: null },
      context: { request: { rawHeaders: [] }, path: '/', query: '' },
    })
    const marks = sent('a\u0301\u0323'.slice(1).repeat(32_768))
    const letters = sent('\u0430\u0431'.repeat(32_768))
    const search = (text: ReturnType<typeof sent>) => () => wereAllSent(text as never, ['credit balance'])
    expect(await ratio(search(marks), search(letters))).toBeLessThan(50)
  })

  it('is not taken by a list of groups', async () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, (_, index) => `group-${index}`))
    const { schema } = options.AutoGroups as unknown as { schema: { safeParse(value: unknown): unknown } }
    const [long, short] = [JSON.parse(list(40_000)), JSON.parse(list(4000))]
    expect(
      await ratio(
        () => schema.safeParse(long),
        () => schema.safeParse(short),
      ),
    ).toBeLessThan(40)
  })
})

it.each(['/v1/chat/completions', '/api/user/login'])(
  'a body in thousands of tiny pieces ends its connection: %s',
  async (path) => {
    const world = await aWorld({ options: { ModelRatio: { m: 1 } } })
    await world.channel({ models: 'm' })
    const alice = await world.user({ quota: 1_000_000 })
    const { host, port } = new URL(world.url)
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer sk-${await alice.key()}`]
    const rest = ['content-type: application/json', 'new-api-user: -1', 'transfer-encoding: chunked', '', '']
    socket.write([...head, ...rest].join('\r\n') + '1\r\n \r\n'.repeat(5000))
    socket.resume()
    await closed
    expect((await alice.asks('m', 'hi')).status).not.toBe(0)
  },
)
