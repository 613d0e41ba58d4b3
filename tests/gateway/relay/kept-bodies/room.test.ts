import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { AnswerCopy } from '../../../../gateway/relay/kept-bodies/body-copy.ts'

it('an answer uses no memory for bytes written after its copy was taken, and none at all when it is dropped', () => {
  const room = { stored: 0, max: 1000 }
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const copy = new AnswerCopy(response, 100, room)
  response.write('first')
  expect(room.stored).toBe(5)
  const { bytes, state } = copy.take()
  expect([bytes.toString(), state]).toEqual(['first', 'whole'])
  response.write('late')
  response.end('last')
  expect(room.stored, 'which the taker gives back').toBe(5)
  copy.drop()
  expect(room.stored).toBe(5)
})
