import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createNetServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A fake program's response to a path: status, body, headers. */
export type Said = Readonly<{ status?: number; body?: unknown; headers?: Record<string, string> }>
export type Paths = Readonly<Record<string, Said>>

/** A fake program on a free loopback port that records requests. */
export async function aProgram(paths: Paths | ((request: IncomingMessage, response: ServerResponse) => void)) {
  const asked: { path: string; authorization: string }[] = []
  let says = paths
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '' })
    if (typeof says === 'function') return says(request, response)
    const { status = 200, body = '', headers = {} } = says[request.url ?? ''] ?? { status: 404, body: 'not found' }
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  const bound = server.address()
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    stop,
    says(now: Paths) {
      says = now
    },
  }
}

/** A port that does not speak HTTP. */
export async function aSocket(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const bound = server.address()
  return bound !== null && typeof bound === 'object' ? bound.port : 0
}

/** A port on which nothing listens. */
export async function aFreePort(): Promise<number> {
  const { port, stop } = await aProgram({})
  await stop()
  return port
}

/** Responses of Ollama 0.12: OpenAI's model list, and its own with sizes. */
export const ollama = (...names: string[]): Paths => ({
  '/v1/models': {
    body: {
      object: 'list',
      data: names.length === 0 ? null : names.map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' })),
    },
  },
  '/api/version': { body: { version: '0.12.6' } },
  '/api/tags': {
    body: {
      models: names.map((name) => ({
        name,
        model: name,
        modified_at: '2025-10-03T23:34:03.409490317-07:00',
        size: 3_338_801_804,
        digest: 'a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a',
        details: { format: 'gguf', family: 'gemma', parameter_size: '4.3B', quantization_level: 'Q4_K_M' },
      })),
    },
  },
})

/** LM Studio responds to an unknown path with 200 and an error. */
export const lmStudio: Paths = {
  '/v1/models': {
    body: { object: 'list', data: [{ id: 'qwen2-vl-7b-instruct', object: 'model', owned_by: 'organization_owner' }] },
  },
  '/api/tags': { body: { error: 'Unexpected endpoint or method. (GET /api/tags)' } },
  '/api/v0/models': {
    body: {
      object: 'list',
      data: [
        {
          id: 'qwen2-vl-7b-instruct',
          object: 'model',
          type: 'vlm',
          publisher: 'mlx-community',
          arch: 'qwen2_vl',
          state: 'not-loaded',
          max_context_length: 32_768,
        },
      ],
    },
  },
}

export const llamaCpp: Paths = {
  '/v1/models': {
    headers: { server: 'llama.cpp' },
    body: {
      object: 'list',
      data: [
        {
          id: 'ggml-org/gpt-oss-20b-GGUF',
          object: 'model',
          created: 1,
          owned_by: 'llamacpp',
          meta: { n_ctx_train: 131_072, n_params: 20_914_757_184, size: 12_104_330_240 },
        },
      ],
    },
  },
}

/** llama.cpp's server behind `--api-key`. */
export const llamaCppLocked: Paths = {
  '/v1/models': {
    status: 401,
    headers: { server: 'llama.cpp' },
    body: { error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' } },
  },
}

export const vllm: Paths = {
  '/v1/models': {
    body: {
      object: 'list',
      data: [
        {
          id: 'meta-llama/Llama-3.1-8B-Instruct',
          object: 'model',
          created: 1,
          owned_by: 'vllm',
          root: 'meta-llama/Llama-3.1-8B-Instruct',
          parent: null,
          max_model_len: 8192,
        },
      ],
    },
  },
}

/** Jan requires a key for every path. */
export const jan = (key: string) => (request: IncomingMessage, response: ServerResponse) => {
  const isLetIn = request.headers.authorization === `Bearer ${key}`
  const body = isLetIn
    ? JSON.stringify({ object: 'list', data: [{ id: 'jan-v3-4b-base-instruct', object: 'model' }] })
    : 'Invalid or missing authorization token'
  response.writeHead(isLetIn ? 200 : 401).end(body)
}
