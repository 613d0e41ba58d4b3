import { type ConnectClient, type ConnectFile, everywhere } from '../client.ts'

/** `GEMINI_CLI_HOME` replaces the user's home, below which the folder is. */
const locations: ConnectFile['locations'] = (() => {
  const own = [{ variable: 'GEMINI_CLI_HOME', below: '.gemini' }, ...everywhere('.gemini').linux]
  return { win32: own, darwin: own, linux: own }
})()

/** Reads variables from a file next to its settings; the settings select key authentication. */
export const geminiCli: ConnectClient = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  dialect: 'gemini',
  link: 'file',
  tried: '0.61.0',
  files: [
    {
      format: 'env',
      locations,
      names: ['.env'],
      settings: ({ address, key, model }) => [
        { path: ['GOOGLE_GEMINI_BASE_URL'], value: address },
        { path: ['GEMINI_API_KEY'], value: key, isSecret: true },
        { path: ['GEMINI_MODEL'], value: model },
      ],
    },
    {
      format: 'json',
      locations,
      names: ['settings.json'],
      settings: ({ model }) => [
        { path: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' },
        { path: ['model', 'name'], value: model },
      ],
    },
  ],
}
