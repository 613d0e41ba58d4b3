import {
  candidate,
  choice,
  completion,
  frame,
  generated,
  item,
  message,
  outputText,
  response,
  scored,
} from '../answers.ts'
import type { AnswerGolden } from '../golden.ts'

const page = { url: 'https://news.example/1', title: 'News' }
const said = 'It rains. Bye.'
const cited = { type: 'url_citation', start_index: 0, end_index: 9, ...page }
const atEnd = { type: 'url_citation', start_index: 14, end_index: 14, ...page }
const inMessage = (start_index: number, end_index: number) =>
  completion([
    choice({
      content: said,
      annotations: [{ type: 'url_citation', url_citation: { start_index, end_index, ...page } }],
    }),
  ])
const location = { type: 'web_search_result_location', ...page, encrypted_index: 'switchyard:index' }
const web = [{ web: { uri: page.url, title: page.title } }]
const red = 'iVBORw0KGgo='
const drawn = `![image](data:image/png;base64,${red})`
const sound = 'UklGRiQAAABXQVZF'

const ran = '\n```python\nprint(1)\n```\n\n```output\n1\n```\n'

export const contents: readonly AnswerGolden[] = [
  {
    feature: 'Text',
    forms: {
      openai: completion([choice({ content: 'Hi.' })]),
      responses: response([item.message(0, [outputText('Hi.')])]),
      anthropic: message([{ type: 'text', text: 'Hi.' }]),
      gemini: generated([candidate([{ text: 'Hi.' }])]),
    },
  },
  {
    feature: 'Empty response',
    forms: {
      openai: completion([choice({ content: '' })]),
      responses: response([]),
      anthropic: message([]),
      gemini: generated([candidate([{ text: '' }])]),
    },
  },
  {
    feature: 'Refusal',
    forms: {
      openai: completion([choice({ refusal: 'No.' })]),
      responses: response([item.message(0, [{ type: 'refusal', refusal: 'No.' }])]),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: message([{ type: 'text', text: 'No.' }]), isNearest: true },
      'openai>gemini': { wire: generated([candidate([{ text: 'No.' }])]), isNearest: true },
      'responses>anthropic': { wire: message([{ type: 'text', text: 'No.' }]), isNearest: true },
      'responses>gemini': { wire: generated([candidate([{ text: 'No.' }])]), isNearest: true },
    },
  },
  {
    feature: 'Citations',
    forms: {
      openai: inMessage(0, 14),
      responses: response([item.message(0, [outputText(said, [cited])])]),
      anthropic: message([
        { type: 'text', text: 'It rains.', citations: [{ ...location, cited_text: 'Rain all day' }] },
        { type: 'text', text: ' Bye.' },
      ]),
      gemini: generated([
        candidate([{ text: said }], 'STOP', 0, {
          groundingMetadata: {
            groundingChunks: web,
            groundingSupports: [{ segment: { text: 'It rains.' }, groundingChunkIndices: [0] }],
          },
        }),
      ]),
    },
    outcomes: {
      'openai>responses': { wire: response([item.message(0, [outputText(said, [atEnd])])]), isNearest: true },
      'openai>anthropic': {
        wire: message([{ type: 'text', text: said, citations: [{ ...location, cited_text: '' }] }]),
        isNearest: true,
      },
      'openai>gemini': {
        wire: generated([candidate([{ text: said }], 'STOP', 0, { groundingMetadata: { groundingChunks: web } })]),
        isNearest: true,
      },
      'responses>openai': { isNearest: true },
      'responses>anthropic': {
        wire: message([{ type: 'text', text: said, citations: [{ ...location, cited_text: '' }] }]),
        isNearest: true,
      },
      'responses>gemini': {
        wire: generated([candidate([{ text: said }], 'STOP', 0, { groundingMetadata: { groundingChunks: web } })]),
        isNearest: true,
      },
      'anthropic>openai': { wire: inMessage(0, 9) },
      'anthropic>responses': {
        wire: response([item.message(0, [outputText(said, [{ ...cited, start_index: 9, end_index: 9 }])])]),
        isNearest: true,
      },
      'anthropic>gemini': {
        wire: generated([
          candidate([{ text: said }], 'STOP', 0, {
            groundingMetadata: {
              groundingChunks: web,
              groundingSupports: [{ segment: { text: 'Rain all day' }, groundingChunkIndices: [0] }],
            },
          }),
        ]),
        isNearest: true,
      },
      'gemini>openai': {
        wire: {
          ...inMessage(0, 14),
          usage: { ...(inMessage(0, 14).usage as object), server_tool_use: { web_search_requests: 1 } },
        },
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: message(
          [{ type: 'text', text: said, citations: [{ ...location, cited_text: 'It rains.' }] }],
          'end_turn',
          {
            usage: {
              ...(message([]).usage as object),
              server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
            },
          },
        ),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Image',
    forms: {
      openai: null,
      responses: response([
        {
          id: `ig_${frame.id}_0`,
          type: 'image_generation_call',
          status: 'completed',
          result: red,
          output_format: 'png',
        },
      ]),
      anthropic: null,
      gemini: generated([candidate([{ inlineData: { mimeType: 'image/png', data: red } }])]),
    },
    outcomes: {
      'responses>openai': { wire: completion([choice({ content: drawn })]), isNearest: true },
      'responses>anthropic': { wire: message([{ type: 'text', text: drawn }]), isNearest: true },
      'gemini>openai': { wire: completion([choice({ content: drawn })]), isNearest: true },
      'gemini>anthropic': { wire: message([{ type: 'text', text: drawn }]), isNearest: true },
    },
  },
  {
    feature: 'Audio',
    forms: {
      openai: completion([
        choice({ audio: { id: `audio_${frame.id}`, data: sound, expires_at: frame.created, transcript: '' } }),
      ]),
      responses: null,
      anthropic: null,
      gemini: generated([candidate([{ inlineData: { mimeType: 'audio/wav', data: sound } }])]),
    },
    outcomes: {
      'openai>responses': { wire: response([]), reported: ['audio'] },
      'openai>anthropic': { wire: message([]), reported: ['audio'] },
      'gemini>responses': { wire: response([]), reported: ['audio'] },
      'gemini>anthropic': { wire: message([]), reported: ['audio'] },
    },
  },
  {
    feature: 'Audio with a transcript',
    forms: {
      openai: completion([
        choice({ audio: { id: `audio_${frame.id}`, data: sound, expires_at: frame.created, transcript: 'Hi.' } }),
      ]),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': { wire: response([item.message(0, [outputText('Hi.')])]), reported: ['audio'] },
      'openai>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['audio'] },
      'openai>gemini': {
        wire: generated([candidate([{ inlineData: { mimeType: 'audio/wav', data: sound } }, { text: 'Hi.' }])]),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Multiple choices',
    forms: {
      openai: completion([choice({ content: 'Hi.' }), choice({ content: 'Hello.' }, 'length', 1)]),
      responses: null,
      anthropic: null,
      gemini: generated([candidate([{ text: 'Hi.' }]), candidate([{ text: 'Hello.' }], 'MAX_TOKENS', 1)]),
    },
    outcomes: {
      'openai>responses': { wire: response([item.message(0, [outputText('Hi.')])]), reported: ['choices'] },
      'openai>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['choices'] },
      'gemini>responses': { wire: response([item.message(0, [outputText('Hi.')])]), reported: ['choices'] },
      'gemini>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['choices'] },
    },
  },
  {
    feature: 'Log probabilities',
    forms: {
      openai: completion([{ ...choice({ content: 'Hi.' }), logprobs: { content: scored.openai, refusal: null } }]),
      responses: response([item.message(0, [{ ...outputText('Hi.'), logprobs: scored.openai }])]),
      anthropic: null,
      gemini: generated([candidate([{ text: 'Hi.' }], 'STOP', 0, { ...scored.gemini, avgLogprobs: -0.125 })]),
    },
    outcomes: {
      'openai>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['logprobs'] },
      'responses>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['logprobs'] },
      'gemini>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['logprobs'] },
    },
  },
  {
    feature: 'Log probabilities of a refusal',
    forms: {
      openai: completion([{ ...choice({ refusal: 'Hi.' }), logprobs: { content: null, refusal: scored.openai } }]),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': {
        wire: response([item.message(0, [{ type: 'refusal', refusal: 'Hi.' }])]),
        reported: ['logprobs'],
      },
      'openai>anthropic': { wire: message([{ type: 'text', text: 'Hi.' }]), reported: ['logprobs'] },
      'openai>gemini': {
        wire: generated([candidate([{ text: 'Hi.' }], 'STOP', 0, { ...scored.gemini, avgLogprobs: -0.125 })]),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Code execution by the vendor',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: generated([
        candidate([
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
        ]),
      ]),
    },
    outcomes: {
      'gemini>openai': { wire: completion([choice({ content: ran })]), isNearest: true },
      'gemini>responses': { wire: response([item.message(0, [outputText(ran)])]), isNearest: true },
      'gemini>anthropic': { wire: message([{ type: 'text', text: ran }]), isNearest: true },
    },
  },
]
