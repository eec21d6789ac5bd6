import type { Random } from './random.ts'

export type Visitor = { ip: string; userAgent: string; country: string; language: string }

type Weighted = readonly (readonly [string, number])[]

const AGENTS: Weighted = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    33,
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    25,
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    16,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    9,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 4],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    4,
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    4,
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 3],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 2],
]

/** Countries, each with the languages of its visitors. */
const COUNTRIES: readonly (readonly [readonly [country: string, languages: Weighted], number])[] = [
  [
    [
      'DE',
      [
        ['de-DE,de;q=0.9', 9],
        ['en-GB,en;q=0.8', 1],
      ],
    ],
    30,
  ],
  [['AT', [['de-AT,de;q=0.9', 1]]], 10],
  [
    [
      'CH',
      [
        ['de-CH,de;q=0.9', 7],
        ['fr-CH,fr;q=0.9', 3],
      ],
    ],
    10,
  ],
  [['FR', [['fr-FR,fr;q=0.9', 1]]], 9],
  [['GB', [['en-GB,en;q=0.9', 1]]], 9],
  [
    [
      'US',
      [
        ['en-US,en;q=0.9', 8],
        ['es-US,es;q=0.9', 1],
      ],
    ],
    9,
  ],
  [
    [
      'NL',
      [
        ['nl-NL,nl;q=0.9', 4],
        ['en-GB,en;q=0.9', 1],
      ],
    ],
    6,
  ],
  [['IT', [['it-IT,it;q=0.9', 1]]], 4],
  [['PL', [['pl-PL,pl;q=0.9', 1]]], 4],
  [['ES', [['es-ES,es;q=0.9', 1]]], 3],
  [['SE', [['sv-SE,sv;q=0.9', 1]]], 2],
  [['CA', [['en-CA,en;q=0.9', 1]]], 2],
  [['AU', [['en-AU,en;q=0.9', 1]]], 1],
  [['JP', [['ja-JP,ja;q=0.9', 1]]], 1],
  [['BE', [['fr-BE,fr;q=0.9', 1]]], 1],
  [['DK', [['da-DK,da;q=0.9', 1]]], 1],
  [['NO', [['nb-NO,nb;q=0.9', 1]]], 1],
  [['CZ', [['cs-CZ,cs;q=0.9', 1]]], 0.8],
  [['FI', [['fi-FI,fi;q=0.9', 1]]], 0.6],
  [['PT', [['pt-PT,pt;q=0.9', 1]]], 0.6],
  [['IE', [['en-IE,en;q=0.9', 1]]], 0.5],
  [['BR', [['pt-BR,pt;q=0.9', 1]]], 0.5],
  [['IN', [['en-IN,en;q=0.9', 1]]], 0.4],
  [['MX', [['es-MX,es;q=0.9', 1]]], 0.3],
  [['NZ', [['en-NZ,en;q=0.9', 1]]], 0.3],
  [['KR', [['ko-KR,ko;q=0.9', 1]]], 0.3],
  [['ZA', [['en-ZA,en;q=0.9', 1]]], 0.2],
  [['SG', [['en-SG,en;q=0.9', 1]]], 0.2],
]

export const REFERRERS: Weighted = [
  ['', 40],
  ['https://www.instagram.com/', 21],
  ['https://www.google.com/', 12],
  ['https://www.facebook.com/', 7],
  ['https://www.youtube.com/', 6],
  ['https://t.co/', 5],
  ['https://www.linkedin.com/', 4],
  ['https://www.pinterest.com/', 3],
  ['https://news.ycombinator.com/', 2],
]

/** A visitor at an address for documentation, which no geo database knows, so the country comes along. */
export function newVisitor(random: Random): Visitor {
  const [country, languages] = random.pick(COUNTRIES)
  const part = () => random.below(0xffff).toString(16)
  return {
    ip: `2001:db8::${part()}:${part()}`,
    userAgent: random.pick(AGENTS),
    country,
    language: random.pick(languages),
  }
}
