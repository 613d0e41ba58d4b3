import { connect, type Socket } from 'node:net'
import { type ResponseEvents, responseReader } from './response.ts'

/** The response to one request as it arrives; `end(false)` means the connection broke before it was complete. */
export interface Exchange extends Omit<ResponseEvents, 'end'> {
  end(isWhole: boolean): void
}

export interface Connection {
  /** Sends one request; the connection must be idle. Opens or reopens automatically. */
  send(bytes: Buffer, exchange: Exchange): void
  /** Closes the connection, even in the middle of a response. */
  hangUp(): void
}

export interface Address {
  host: string
  port: number
}

/** A keep-alive client connection on a bare socket, one exchange at a time. */
export function openConnection(address: Address): Connection {
  let current: Exchange | undefined
  let socket: Socket | undefined

  const finish = (isWhole: boolean) => {
    const ended = current
    current = undefined
    ended?.end(isWhole)
  }
  const open = () => {
    const opened = connect({ ...address, noDelay: true })
    const reader = responseReader({
      head: (status) => {
        if (socket === opened) current?.head(status)
      },
      data: (piece) => {
        if (socket === opened) current?.data(piece)
      },
      end: () => {
        if (socket !== opened) return
        if (reader.mustClose) socket = undefined
        finish(true)
      },
    })
    opened.on('data', (bytes) => reader.feed(bytes))
    opened.on('error', () => opened.destroy())
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      finish(reader.endsByClose)
    })
    return opened
  }

  return {
    send(bytes, exchange) {
      current = exchange
      socket ??= open()
      socket.write(bytes)
    },
    hangUp() {
      const left = socket
      socket = undefined
      left?.destroy()
      finish(false)
    },
  }
}
