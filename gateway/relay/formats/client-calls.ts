import type { ClientTools, Codec } from './codec.ts'
import type { AnswerEvent } from './events.ts'

/**
 * Wraps a codec so that its responses name tools as the client declared them (docs/reference/conversion.md#tool-names).
 */
export const restoring = (codec: Codec): Codec => ({
  ...codec,
  encodeAnswer: (events, frame, usage) =>
    codec.encodeAnswer(
      frame.clientTools.size === 0 ? events : events.map((event) => restored(event, frame.clientTools)),
      frame,
      usage,
    ),
  encodeStream(frame) {
    const encoder = codec.encodeStream(frame)
    if (frame.clientTools.size === 0) return encoder
    const { position } = encoder
    return {
      add: (event) => encoder.add(restored(event, frame.clientTools)),
      end: (usage) => encoder.end(usage),
      ...(position ? { position: () => position.call(encoder) } : {}),
    }
  },
})

/** Only the first piece of a call has its name. */
function restored(event: AnswerEvent, tools: ClientTools): AnswerEvent {
  const tool = event.type === 'tool' && event.name !== undefined ? tools.get(event.name) : undefined
  return tool ? { ...event, ...tool } : event
}
