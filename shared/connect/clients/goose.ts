import { type ConfigLocation, type ConnectClient, type ConnectFile, inConfigHome } from '../client.ts'

const locations = (below: string): ConnectFile['locations'] => ({
  win32: [
    atRoot(below),
    { variable: 'APPDATA', below: `Block/goose/config${below}` },
    { below: `AppData/Roaming/Block/goose/config${below}` },
  ],
  darwin: [atRoot(below), ...inConfigHome(`goose${below}`)],
  linux: [atRoot(below), ...inConfigHome(`goose${below}`)],
})

/** A folder below the root of Goose's files, if `GOOSE_PATH_ROOT` names another root. */
const atRoot = (below: string): ConfigLocation => ({ variable: 'GOOSE_PATH_ROOT', below: `config${below}` })

/**
 * Goose never reads a key from `config.yaml`. A file that defines a custom provider may name a header to send, so the
 * key needs neither the keychain nor a variable. Releases before `requires_auth` still require a key in the keychain.
 */
export const goose: ConnectClient = {
  id: 'goose',
  name: 'Goose',
  dialect: 'chat',
  link: 'file',
  files: [
    {
      format: 'json',
      locations: locations('/custom_providers'),
      names: ['custom_switchyard.json'],
      settings: ({ address, key, model }) => [
        { path: ['name'], value: 'custom_switchyard' },
        { path: ['engine'], value: 'openai' },
        { path: ['display_name'], value: 'Switchyard' },
        { path: ['description'], value: 'Switchyard' },
        { path: ['api_key_env'], value: '' },
        { path: ['requires_auth'], value: false },
        { path: ['base_url'], value: `${address}/v1/chat/completions` },
        { path: ['headers', 'Authorization'], value: `Bearer ${key}`, isSecret: true },
        { path: ['models'], value: [{ name: model, context_limit: 128_000 }] },
        { path: ['supports_streaming'], value: true },
      ],
    },
    {
      format: 'yaml',
      locations: locations(''),
      names: ['config.yaml'],
      settings: ({ model }) => [
        { path: ['active_provider'], value: 'custom_switchyard' },
        {
          path: ['providers', 'custom_switchyard'],
          value: { enabled: true, model, configured: true },
        },
        { path: ['GOOSE_PROVIDER'], value: 'custom_switchyard' },
        { path: ['GOOSE_MODEL'], value: model },
      ],
    },
  ],
}
