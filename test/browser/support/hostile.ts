// Cards with content that layouts break on: very long, very many, very wide, and in other scripts.
import { type Api, buttons, input, kv, text, toggle } from './api.ts'

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const SENTENCE =
  'The nightly import took longer than usual because the upstream archive was split into parts. '
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const title = (content: string) => ({ ...text(content, 'title'), size: 'lg', bold: true })

const HOSTILE_CARDS: object[][] = [
  [title('A text of 10,000 characters'), text(SENTENCE.repeat(104), 'long')],
  [text(SENTENCE.repeat(40), 'only')],
  [title('200 rows'), kv(many(200, i => ({ key: `Row ${i + 1}`, value: `${i * 37} ms` })))],
  [
    title('A log'),
    kv(many(40, i => ({ key: `14:${String(i + 10).padStart(2, '0')}`, value: `Step ${i} done` }))),
  ],
  [
    title('60 options'),
    {
      type: 'multiselect',
      id: 'many',
      label: 'Regions',
      options: many(60, i => `Region ${i + 1}`),
      value: ['Region 3', 'Region 41'],
    },
  ],
  [title('25 buttons'), buttons(...many(25, i => `Choice ${i + 1}`))],
  [
    title(`${WORD} ${WORD}`),
    { type: 'badge', id: 'badge', label: WORD },
    kv([{ key: WORD, value: WORD }]),
    toggle('wide', `${WORD} and ${SENTENCE}`, { hint: 'Explains what the switch does.' }),
    input('one', 'Short'),
    input('two', 'A label that needs two lines where fields stand beside each other, and then some'),
  ],
  [
    title('فشل النشر في الإنتاج'),
    text('انتهى الإصدار 2.6.0 بعد 14 دقيقة مع خطأ واحد.', 'more'),
    kv([
      { key: 'الخادم', value: 'web-1' },
      { key: 'المدة', value: '14 دقيقة' },
    ]),
    buttons('إعادة المحاولة', 'تجاهل'),
  ],
  [title('Combining marks'), text(`Z̷̢̛͎͔̗̼̱̳͈̀̈́͆̒̏͑͜͠a̴̛̤l̷g̶o̸ ${'e\u0301\u0302\u0303\u0304'.repeat(60)}`, 'marks')],
  [
    title('A wide image'),
    { type: 'image', id: 'image', url: 'https://images.example/requests.svg', alt: WORD },
  ],
]

export async function pushHostile(api: Api, channel: string): Promise<void> {
  for (const blocks of HOSTILE_CARDS) await api.push(channel, blocks)
}
