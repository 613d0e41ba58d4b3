import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { frame, item, outputText, scored } from '../answers.ts'
import type { StreamGolden } from '../golden.ts'
import {
  anthropicStream,
  begun,
  block,
  chunk,
  ended,
  geminiEnd,
  geminiStream,
  openaiStream,
  part,
  responsesStream,
  textBlock,
  textItem,
} from '../streams.ts'

const hello = {
  openai: openaiStream([{ content: 'Hel' }, { content: 'lo.' }]),
  responses: responsesStream(textItem(0, ['Hel', 'lo.']), [item.message(0, [outputText('Hello.')])]),
  anthropic: anthropicStream(textBlock(0, 'Hel', 'lo.')),
  gemini: geminiStream([{ text: 'Hel' }, { text: 'lo.' }]),
}

const refused = { item_id: `msg_${frame.id}_0`, output_index: 0, content_index: 0 }
const refusal = (text: string) => ({ type: 'refusal', refusal: text })

const page = { url: 'https://news.example/1', title: 'News' }
const web = { groundingChunks: [{ web: { uri: page.url, title: page.title } }] }
const place = { item_id: `msg_${frame.id}_0`, output_index: 0, content_index: 0 }
const red = 'iVBORw0KGgo='
const drawn = `![image](data:image/png;base64,${red})`
const picture = {
  id: `ig_${frame.id}_0`,
  type: 'image_generation_call',
  status: 'completed',
  result: red,
  output_format: 'png',
}

/** A stream with a message that cites a source at the given positions of its text. */
const citing = (start_index: number, end_index: number) => {
  const annotation = { type: 'url_citation', start_index, end_index, ...page }
  const whole = outputText('It rains.', [annotation])
  return responsesStream(
    [
      { type: 'response.output_item.added', output_index: 0, item: item.message(0, [], 'in_progress') },
      { type: 'response.content_part.added', ...place, part: outputText('') },
      { type: 'response.output_text.delta', ...place, delta: 'It rains.', logprobs: [] },
      { type: 'response.output_text.annotation.added', ...place, annotation_index: 0, annotation },
      { type: 'response.output_text.done', ...place, text: 'It rains.', logprobs: [] },
      { type: 'response.content_part.done', ...place, part: whole },
      { type: 'response.output_item.done', output_index: 0, item: item.message(0, [whole]) },
    ],
    [item.message(0, [whole])],
  )
}

/** The citation in Gemini's form: in the last chunk. */
const grounded = () => {
  const [text, last] = geminiStream([{ text: 'It rains.' }])
  const { candidates } = geminiEnd(['STOP'])
  const [only] = Array.isArray(candidates) ? candidates : []
  return [text ?? {}, { ...last, candidates: [{ ...only, groundingMetadata: web }] }]
}

const said = { ...outputText('Hi.'), logprobs: scored.openai }

/** A chunk with log probabilities in its choice. */
const withScores = ({ choices, ...rest }: Json, content: readonly Json[]): Json => ({
  ...rest,
  choices: Array.isArray(choices) ? [{ ...choices[0], logprobs: { content, refusal: null } }] : [],
})

/** A response of Gemini's with additional members in its first candidate. */
const withMembers = ({ candidates, ...rest }: Json, members: Json): Json => ({
  ...rest,
  candidates: Array.isArray(candidates) ? [{ ...candidates[0], ...members }] : [],
})

/** The chunk with the log probabilities of token `n`. */
const withResult = (wire: Json, n: number): Json => {
  const { chosenCandidates, topCandidates } = scored.gemini.logprobsResult
  const logprobsResult = {
    chosenCandidates: chosenCandidates.slice(n, n + 1),
    topCandidates: topCandidates.slice(n, n + 1),
  }
  return withMembers(wire, { logprobsResult })
}

/** Streams with text. */
export const texts: readonly StreamGolden[] = [
  { feature: 'Text', forms: hello },
  {
    feature: 'Unicode text',
    forms: {
      openai: openaiStream([{ content: 'Grüße, ' }, { content: '世界 👋🏽' }]),
      responses: responsesStream(textItem(0, ['Grüße, ', '世界 👋🏽']), [
        item.message(0, [outputText('Grüße, 世界 👋🏽')]),
      ]),
      anthropic: anthropicStream(textBlock(0, 'Grüße, ', '世界 👋🏽')),
      gemini: geminiStream([{ text: 'Grüße, ' }, { text: '世界 👋🏽' }]),
    },
  },
  {
    feature: 'Empty response',
    forms: {
      openai: openaiStream([]),
      responses: responsesStream([], []),
      anthropic: anthropicStream([]),
      gemini: geminiStream([]),
    },
  },
  {
    feature: 'Text truncated at the output limit',
    forms: {
      openai: openaiStream([{ content: 'Hel' }], 'length'),
      responses: responsesStream(
        textItem(0, ['Hel'], 'incomplete'),
        [item.message(0, [outputText('Hel')], 'incomplete')],
        { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      ),
      anthropic: anthropicStream(textBlock(0, 'Hel'), 'max_tokens'),
      gemini: geminiStream([{ text: 'Hel' }], [], 'MAX_TOKENS'),
    },
  },
  {
    feature: 'Text ended by a stop sequence',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropicStream(textBlock(0, 'Hel', 'lo.'), 'stop_sequence', { stop_sequence: 'END' }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': { wire: hello.openai, isNearest: true },
      'anthropic>responses': { wire: hello.responses, isNearest: true },
      'anthropic>gemini': { wire: hello.gemini, isNearest: true },
    },
  },
  {
    feature: 'Refusal',
    forms: {
      openai: openaiStream([{ refusal: 'No' }, { refusal: '.' }]),
      responses: responsesStream(
        [
          { type: 'response.output_item.added', output_index: 0, item: item.message(0, [], 'in_progress') },
          { type: 'response.content_part.added', ...refused, part: refusal('') },
          { type: 'response.refusal.delta', ...refused, delta: 'No' },
          { type: 'response.refusal.delta', ...refused, delta: '.' },
          { type: 'response.refusal.done', ...refused, refusal: 'No.' },
          { type: 'response.content_part.done', ...refused, part: refusal('No.') },
          { type: 'response.output_item.done', output_index: 0, item: item.message(0, [refusal('No.')]) },
        ],
        [item.message(0, [refusal('No.')])],
      ),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: anthropicStream(textBlock(0, 'No', '.')), isNearest: true },
      'openai>gemini': { wire: geminiStream([{ text: 'No' }, { text: '.' }]), isNearest: true },
      'responses>anthropic': { wire: anthropicStream(textBlock(0, 'No', '.')), isNearest: true },
      'responses>gemini': { wire: geminiStream([{ text: 'No' }, { text: '.' }]), isNearest: true },
    },
  },
  {
    feature: 'Citations',
    forms: {
      openai: openaiStream([
        { content: 'It rains.' },
        { annotations: [{ type: 'url_citation', url_citation: { start_index: 0, end_index: 9, ...page } }] },
      ]),
      responses: citing(9, 9),
      anthropic: anthropicStream(
        block(0, { type: 'text', text: '' }, [
          { type: 'text_delta', text: 'It rains.' },
          {
            type: 'citations_delta',
            citation: {
              type: 'web_search_result_location',
              ...page,
              cited_text: '',
              encrypted_index: 'switchyard:index',
            },
          },
        ]),
      ),
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { wire: grounded(), isNearest: true },
      'responses>gemini': { wire: grounded(), isNearest: true },
      'anthropic>gemini': { wire: grounded(), isNearest: true },
    },
  },
  {
    feature: 'Log probabilities',
    forms: {
      openai: [
        begun(),
        ...['Hi', '.'].map((content, n) => withScores(chunk({ content }), scored.openai.slice(n, n + 1))),
        chunk({}, 'stop'),
        ...ended,
      ],
      responses: responsesStream(
        [
          { type: 'response.output_item.added', output_index: 0, item: item.message(0, [], 'in_progress') },
          { type: 'response.content_part.added', ...place, part: outputText('') },
          ...['Hi', '.'].map((delta, n) => ({
            type: 'response.output_text.delta',
            ...place,
            delta,
            logprobs: scored.openai.slice(n, n + 1),
          })),
          { type: 'response.output_text.done', ...place, text: 'Hi.', logprobs: scored.openai },
          { type: 'response.content_part.done', ...place, part: said },
          { type: 'response.output_item.done', output_index: 0, item: item.message(0, [said]) },
        ],
        [item.message(0, [said])],
      ),
      anthropic: null,
      gemini: [
        ...['Hi', '.'].map((text, n) => withResult(part({ text }), n)),
        withMembers(geminiEnd(['STOP']), { avgLogprobs: -0.125 }),
      ],
    },
    outcomes: {
      'openai>anthropic': { wire: anthropicStream(textBlock(0, 'Hi', '.')), reported: ['logprobs'] },
      'responses>anthropic': { wire: anthropicStream(textBlock(0, 'Hi', '.')), reported: ['logprobs'] },
      'gemini>anthropic': { wire: anthropicStream(textBlock(0, 'Hi', '.')), reported: ['logprobs'] },
    },
  },
  {
    feature: 'Image',
    forms: {
      openai: null,
      responses: responsesStream(
        [
          { type: 'response.output_item.added', output_index: 0, item: picture },
          { type: 'response.output_item.done', output_index: 0, item: picture },
        ],
        [picture],
      ),
      anthropic: null,
      gemini: geminiStream([{ inlineData: { mimeType: 'image/png', data: red } }]),
    },
    outcomes: {
      'responses>openai': { wire: openaiStream([{ content: drawn }]), isNearest: true },
      'responses>anthropic': { wire: anthropicStream(textBlock(0, drawn)), isNearest: true },
      'gemini>openai': { wire: openaiStream([{ content: drawn }]), isNearest: true },
      'gemini>anthropic': { wire: anthropicStream(textBlock(0, drawn)), isNearest: true },
    },
  },
  {
    feature: 'Model error (UNEXPECTED_TOOL_CALL)',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: geminiStream([{ text: 'Hel' }, { text: 'lo.' }], [], 'UNEXPECTED_TOOL_CALL'),
    },
    outcomes: {
      'gemini>openai': { wire: hello.openai, isNearest: true },
      'gemini>responses': { wire: hello.responses, isNearest: true },
      'gemini>anthropic': { wire: hello.anthropic, isNearest: true },
    },
  },
  {
    feature: 'Multiple choices',
    forms: {
      openai: [
        begun(),
        chunk({ content: 'Hel' }),
        begun(1),
        chunk({ content: 'Hi.' }, null, 1),
        chunk({ content: 'lo.' }),
        chunk({}, 'stop'),
        chunk({}, 'length', 1),
        ...ended,
      ],
      responses: null,
      anthropic: null,
      gemini: [
        part({ text: 'Hel' }),
        part({ text: 'Hi.' }, 1),
        part({ text: 'lo.' }),
        geminiEnd(['STOP', 'MAX_TOKENS']),
      ],
    },
    outcomes: {
      'openai>responses': { wire: hello.responses, reported: ['choices'] },
      'openai>anthropic': { wire: hello.anthropic, reported: ['choices'] },
      'gemini>responses': { wire: hello.responses, reported: ['choices'] },
      'gemini>anthropic': { wire: hello.anthropic, reported: ['choices'] },
    },
  },
]
