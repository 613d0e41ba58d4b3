/** Gathers what comes in and shows it once a frame, so that a fast stream does not draw more often than the screen. */
export type Typing = Readonly<{
  add: (delta: Readonly<{ text: string; reasoning: string }>) => void
  /** Shows what is left, at once. */
  end: () => void
}>

/** Starts with nothing; `show` is given all of it so far. */
export function createTyping(show: (text: string, reasoning: string) => void): Typing {
  let text = ''
  let reasoning = ''
  let frame = 0
  const draw = () => {
    frame = 0
    show(text, reasoning)
  }
  return {
    add(delta) {
      text += delta.text
      reasoning += delta.reasoning
      if (frame === 0) frame = requestAnimationFrame(draw)
    },
    end() {
      if (frame === 0) return
      cancelAnimationFrame(frame)
      draw()
    },
  }
}
