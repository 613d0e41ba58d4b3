import { randomId } from '../../../api/random-id.ts'

/** The other windows of this browser that show the same kept things. */
type OtherWindows = Readonly<{
  report: (id: string) => void
  watch: (onTold: (id: string) => void) => () => void
}>

/** Tells windows apart, so that none listens to itself. */
const self = randomId()

/** Tells the other windows which thing was kept, and listens to them; `name` is what they have in common. */
export const otherWindows = (name: string): OtherWindows => ({
  report(id) {
    // One for each message: what is kept late, as the page is being left, is told as well.
    const channel = new BroadcastChannel(name)
    channel.postMessage({ id, from: self })
    channel.close()
  },
  watch(onTold) {
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }: MessageEvent<{ id: string; from: string }>) => {
      if (data.from !== self) onTold(data.id)
    }
    return () => channel.close()
  },
})
