// A server of the Model Context Protocol over stdio, with one tool that agents call in addition to their own.
import { createInterface } from 'node:readline'

const tool = {
  name: 'measure_depth',
  description: 'Measures how deep the water is at a place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'harbour', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'The water is fathoms-6640 deep.' }] }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) continue
  const answer = results[method]
    ? { result: results[method](params) }
    : { error: { code: -32601, message: `no method ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}
