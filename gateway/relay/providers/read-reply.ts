import type { UpstreamReply } from '../model/upstream-reply.ts'

/** Reads a reply to its end, or `most` bytes of it; rejects when it breaks off. */
export function readReply(reply: UpstreamReply, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    reply.pipe({
      chunk(bytes) {
        chunks.push(bytes)
        size += bytes.length
        if (size < most) return true
        reply.abort()
        resolve(Buffer.concat(chunks).subarray(0, most))
        return false
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    })
  })
}
