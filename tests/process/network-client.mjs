import { AsyncLocalStorage } from 'node:async_hooks'
import { request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'

/**
 * A device of another network: executes the orders on its input lines, and prints each result with the order's number.
 */
const told = new AsyncLocalStorage()
const print = (outcome) => process.stdout.write(`${JSON.stringify({ id: told.getStore(), outcome })}\n`)

const jobs = { call, hold, scan, handshake, resolve }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, order } = JSON.parse(line)
  void told.run(id, () => jobs[order.do](order))
}

function call({ url, method = 'GET', headers = {}, body, ca, isAnyName, onPart = () => {} }) {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? requestEncrypted : requestPlain
    const asked = send(url, {
      method,
      headers,
      agent: false,
      timeout: 10_000,
      ...(ca && { ca }),
      ...(isAnyName && { checkServerIdentity: () => undefined }),
    })
    let text = ''
    const over = (told) => {
      print(told)
      resolve()
    }
    asked.on('error', ({ code, message }) => over({ error: code ?? message }))
    asked.on('timeout', () => asked.destroy(Object.assign(new Error(), { code: 'TIMEOUT' })))
    asked.on('response', (response) => {
      const protocol = response.socket.getProtocol?.() ?? ''
      const isVerified = response.socket.authorized ?? false
      response.on('data', (chunk) => {
        text += chunk
        onPart()
      })
      response.on('error', ({ code }) => over({ cut: code }))
      const cookies = response.headers['set-cookie'] ?? []
      response.on('end', () => over({ status: response.statusCode, text, protocol, isVerified, cookies }))
    })
    asked.end(body)
  })
}

/** A request whose response does not end: reports its start and its end. */
function hold(asked) {
  let isBegun = false
  return call({
    ...asked,
    onPart() {
      if (!isBegun) print({ begun: true })
      isBegun = true
    },
  })
}

async function scan({ host, to }) {
  const open = []
  let next = 1
  const worker = async () => {
    while (next <= to) {
      const port = next++
      const isOpen = await new Promise((resolve) => {
        const socket = connect({ host, port, timeout: 2000 })
        const end = (answer) => {
          socket.destroy()
          resolve(answer)
        }
        socket
          .on('connect', () => end(true))
          .on('error', () => end(false))
          .on('timeout', () => end(false))
      })
      if (isOpen) open.push(port)
    }
  }
  await Promise.all(Array.from({ length: 200 }, worker))
  print({ open })
}

/** A TLS handshake of at most this version. */
function handshake({ host, port, ca, maxVersion }) {
  return new Promise((resolve) => {
    const socket = connectTls({ host, port, ca, minVersion: 'TLSv1', maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' })
    const over = (told) => {
      print(told)
      socket.destroy()
      resolve()
    }
    socket.on('error', ({ code }) => over({ error: code }))
    socket.on('secureConnect', () => over({ protocol: socket.getProtocol(), isVerified: socket.authorized }))
  })
}

/** Sends multicast DNS queries, and reports the responses until all have come. */
async function resolve({ on, questions }) {
  const { default: createMulticast } = await import('multicast-dns')
  const mdns = createMulticast({ interface: on, bind: '0.0.0.0' })
  const found = new Map()
  const over = Promise.withResolvers()
  const timer = setTimeout(over.resolve, 10_000)
  mdns.on('response', ({ answers }) => {
    for (const { name, type, data } of answers) found.set(`${type} ${name}`, data)
    if (questions.every(({ name, type }) => found.has(`${type} ${name}`))) over.resolve()
  })
  mdns.on('ready', () => mdns.query({ questions }))
  await over.promise
  clearTimeout(timer)
  mdns.destroy()
  print(Object.fromEntries(found))
}
