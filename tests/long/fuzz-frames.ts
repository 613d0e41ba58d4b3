import { type Dice, mangled } from './fuzz-values.ts'

export type Knock = Readonly<{ path: string; host: string; key: string }>

/** A WebSocket upgrade request, mostly valid. */
export function handshakeFor(dice: Dice, { path, host, key }: Knock): string {
  const who = dice.one([
    `Authorization: Bearer ${key}`,
    `Authorization: Bearer ${key}`,
    `Authorization: Bearer ${key}`,
    `Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.${key}`,
    'Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.nobody',
    'Authorization: Bearer nobody',
    'Sec-WebSocket-Protocol: ,,',
  ])
  const lines = [
    `${dice.chance(0.95) ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    `Upgrade: ${dice.chance(0.95) ? 'websocket' : 'WebSocket, h2c'}`,
    `Sec-WebSocket-Version: ${dice.chance(0.95) ? 13 : dice.one([8, 0, 'x'])}`,
    ...(dice.chance(0.95) ? ['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='] : []),
    ...(dice.chance(0.1) ? ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99'] : []),
    who,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const events: readonly unknown[] = [
  { type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.', tools: [] } },
  { type: 'response.create', response: { modalities: ['text'] } },
  { type: 'response.create', model: 'gpt-4o', input: 'Hello', previous_response_id: null },
  {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  },
  { type: 'input_audio_buffer.append', audio: Buffer.alloc(48).toString('base64') },
  { type: 'input_audio_buffer.commit' },
  { type: 'response.cancel' },
]

/** Up to a dozen frames, mostly events as text, some invalid by RFC 6455. */
export function framesFor(dice: Dice): Buffer[] {
  return Array.from({ length: dice.below(12) }, () => {
    if (dice.chance(0.75))
      return frame(dice, { opcode: 1, payload: Buffer.from(JSON.stringify(mangled(dice, dice.one(events)) ?? null)) })
    return dice.one([
      () => frame(dice, { opcode: 2, payload: Buffer.alloc(dice.below(200)) }),
      () => frame(dice, { opcode: 9, payload: Buffer.from('ping') }),
      () => frame(dice, { opcode: 9, payload: Buffer.alloc(126) }),
      () => frame(dice, { opcode: 10, payload: Buffer.from('pong') }),
      () => frame(dice, { opcode: 8, payload: Buffer.from([dice.below(256), dice.below(256)]) }),
      () => frame(dice, { opcode: 8, payload: Buffer.from([3]) }),
      () => frame(dice, { opcode: 0, payload: Buffer.from('more of nothing') }),
      () => frame(dice, { opcode: 1, payload: Buffer.from('begun'), isLast: false }),
      () => frame(dice, { opcode: dice.below(16), payload: Buffer.from('x'), reserved: dice.below(8) }),
      () => frame(dice, { opcode: 1, payload: Buffer.from([0xff, 0xfe]) }),
      () => frame(dice, { opcode: 1, payload: Buffer.from('{"type":'), isMasked: false }),
      () => Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
      () => Buffer.from(Array.from({ length: 40 }, () => dice.below(256))),
    ])()
  })
}

type Frame = Readonly<{ opcode: number; payload: Buffer; isLast?: boolean; isMasked?: boolean; reserved?: number }>

function frame(dice: Dice, { opcode, payload, isLast = true, isMasked = true, reserved = 0 }: Frame): Buffer {
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  const { length } = payload
  const mask = isMasked ? 0x80 : 0
  const long = Buffer.alloc(8)
  long.writeBigUInt64BE(BigInt(length))
  const short = length < 126 ? [first, mask | length] : [first, mask | 126, ...long.subarray(6)]
  const size = Buffer.from(length < 65_536 ? short : [first, mask | 127, ...long])
  if (!isMasked) return Buffer.concat([size, payload])
  const key = Buffer.from([1, 2, 3, 4].map(() => dice.below(256)))
  const masked = payload.map((byte, index) => byte ^ (key[index % 4] ?? 0))
  return Buffer.concat([size, key, masked])
}
