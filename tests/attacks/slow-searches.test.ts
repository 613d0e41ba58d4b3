import { describe, expect, it } from 'vitest'
import { readForm } from '../../gateway/base/bytes/form.ts'
import { aWorld } from '../support/world.ts'

const MIB = 1024 * 1024

describe('no text makes others wait for a slow search (docs/reference/limits.md#bodies)', () => {
  it('a form whose boundary is short is searched in steps', async () => {
    const head = Buffer.from('--a\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
    const body = Buffer.concat([head, Buffer.alloc(16 * MIB, '\r'), Buffer.from('\r\n--a--\r\n')])
    let turns = 0
    let isRead = false
    const count = () => {
      turns += 1
      if (!isRead) setImmediate(count)
    }
    setImmediate(count)
    const form = await readForm(body, 'multipart/form-data; boundary=a')
    isRead = true
    expect(form.map(({ bytes }) => bytes.length)).toEqual([16 * MIB])
    expect(turns).toBeGreaterThanOrEqual(15)
  })

  it('a body with many surrogates without their other half, which are slow to write, is refused', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel()
    const alice = await world.user({ quota: 1_000_000 })
    const send = async (text: string) => {
      const body = `{"model":"gpt-4o","max_tokens":9,"messages":[{"role":"user","content":"${text}"}]}`
      const headers = { authorization: `Bearer sk-${await alice.key()}` }
      const answer = await fetch(`${world.url}/v1/messages/count_tokens`, { method: 'POST', headers, body })
      return [answer.status, await answer.text()]
    }
    expect(await send('\\ud800'.repeat(200_000))).toEqual([400, expect.stringContaining('too many surrogates')])
    expect((await send('\\ud83d\\ude00'.repeat(100_000)))[0]).toBe(200)
  })
})
