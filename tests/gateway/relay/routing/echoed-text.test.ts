import { expect, it } from 'vitest'
import { type SentText, wereAllSent } from '../../../../gateway/relay/routing/echoed-text.ts'

const sent = (content: string): SentText => ({
  call: { bytes: Buffer.from(content), json: { messages: [{ role: 'user', content }] }, form: null },
  context: { request: { rawHeaders: [] }, path: '/v1/chat/completions', query: '' } as unknown as SentText['context'],
})

it.each(['x', '\\', '\\u00', '\u{1d400}'])(
  'a long text of %j is searched in pieces, between which others have their turn',
  async (part) => {
    let turns = 0
    let isOver = false
    const wait = () => {
      turns += 1
      if (!isOver) setImmediate(wait)
    }
    setImmediate(wait)
    expect(await wereAllSent(sent(part.repeat(2_000_000 / part.length)), ['no credit'])).toBe(false)
    isOver = true
    expect(turns).toBeGreaterThan(50)
  },
)

it('all words have to be there, in whichever place', async () => {
  const text = sent('No CREDIT, and it is gone')
  expect(await wereAllSent(text, ['no credit'])).toBe(true)
  expect(await wereAllSent(text, ['no credit', 'is gone'])).toBe(true)
  expect(await wereAllSent(text, ['no credit', 'overdue'])).toBe(false)
})
