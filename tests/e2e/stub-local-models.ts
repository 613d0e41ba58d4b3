import type { LocalChannel, LocalFinding } from '../../shared/api/local-models.ts'

const finding = (address: string, more: Partial<LocalFinding>): LocalFinding => ({
  address: `http://${address}`,
  state: 'offline',
  status: 0,
  program: '',
  models: [],
  left: 0,
  channel_id: 0,
  channel_name: '',
  ...more,
})
const model = (name: string, bytes = 0, is_elsewhere = false) => ({ name, bytes, is_elsewhere })

/** Every state: found with many models, protected by a key, added, offline, not responding, and another service. */
export const findings: readonly LocalFinding[] = [
  finding('127.0.0.1:11434', {
    state: 'found',
    program: 'ollama',
    left: 1,
    models: [
      model('gemma3:4b', 3_338_801_804),
      model(
        'hf.co/a-person-with-a-long-name/a-model-with-an-even-longer-name-that-goes-on-GGUF:Q4_K_M',
        48_120_000_000,
      ),
      model('openai/gpt-oss-20b', 13_780_173_839, true),
      ...Array.from({ length: 9 }, (_, n) => model(`qwen3:${n + 1}b`, (n + 1) * 900_000_000)),
    ],
  }),
  finding('127.0.0.1:1234', {
    state: 'found',
    program: 'lm-studio',
    models: [model('qwen2-vl-7b-instruct')],
    channel_id: 3,
    channel_name: 'LM Studio',
  }),
  finding('127.0.0.1:8080', { state: 'other', status: 200 }),
  finding('127.0.0.1:8000', { state: 'offline' }),
  finding('127.0.0.1:1337', { state: 'needs_key', program: 'jan' }),
  finding('192.168.1.20:11434', { state: 'silent' }),
]

const channel = (channel_id: number, name: string, more: Partial<LocalChannel>): LocalChannel => ({
  channel_id,
  name,
  program: 'ollama',
  address: 'http://127.0.0.1:11434',
  takes: false,
  state: 'found',
  checked_at: Math.floor(Date.now() / 1000) - 180,
  models: 4,
  fresh: [],
  missing: [],
  ...more,
})

/** A channel with changes, one that is followed and up to date, and one that is disabled. */
export const channels: readonly LocalChannel[] = [
  channel(2, 'Ollama', { fresh: ['gemma3:4b', 'qwen3:8b'], missing: ['llama3.2:latest'] }),
  channel(3, 'LM Studio', { program: 'lm-studio', address: 'http://127.0.0.1:1234', takes: true, models: 1 }),
  channel(4, 'vLLM (192.168.1.20:8000)', {
    program: 'vllm',
    address: 'http://192.168.1.20:8000',
    state: 'offline',
    models: 2,
  }),
]
