/**
 * Recognizes what guessers try first, by rule instead of by a list of leaked passwords: a frequent
 * word with a little around it (`Password123!`, `p@ssw0rd2024`, `iloveyouiloveyou`), a run along a
 * keyboard, the alphabet or the digits (`1qaz2wsx3edc`, `9876543210`), and a few characters over
 * and over (`abcabcabcabc`). Shorter than ten characters nothing is accepted anyway, which leaves
 * few of the lists of the most frequent passwords; those that are left have these forms.
 */
export function isWeakPassword(password: string): boolean {
  const text = password.toLowerCase()
  return isRepeated(text) || isRun(text) || isDressedWord(text) || isDoubled(text)
}

/** So many characters around a word make it no better, and digits in a row never do. */
const MAX_AROUND = 4
const MAX_REPEATED_CHARS = 4
const MIN_RUN_CHARS = 3

const LEET: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '8': 'b',
}

/** The letters that signs stand for; `1`, `!` and `|` are read as `asOne`. */
function plain(text: string, asOne: 'i' | 'l'): string {
  return text.replace(/[@4305$78]/g, (sign) => LEET[sign]!).replace(/[1!|]/g, asOne)
}

/** Up to four characters, over and over. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= MAX_REPEATED_CHARS; size++) {
    const unit = text.slice(0, size)
    if (unit.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

/** Something weak, twice. */
function isDoubled(text: string): boolean {
  const half = text.slice(0, text.length / 2)
  return half !== '' && half + half === text && isDressedWord(half)
}

/** Nothing but pieces of at least three characters that lie in a row, either way. */
function isRun(text: string): boolean {
  let at = 0
  while (at < text.length) {
    let end = at + MIN_RUN_CHARS
    if (end > text.length || !isInARow(text.slice(at, end))) return false
    while (end < text.length && isInARow(text.slice(at, end + 1))) end++
    // A piece must not leave too little behind to be a piece of its own.
    if (text.length - end > 0 && text.length - end < MIN_RUN_CHARS) return end - at > MAX_AROUND
    at = end
  }
  return true
}

function isInARow(piece: string): boolean {
  return ROWS.some((row) => row.includes(piece))
}

/** One or two frequent words and a bit of decoration, which may stand for a letter itself. */
function isDressedWord(text: string): boolean {
  const [, before = '', core = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/u.exec(text) ?? []
  const readings = [
    [before, core, after],
    ['', before + core, after],
    [before, core + after, ''],
  ] as const
  return readings.some(
    ([left, word, right]) =>
      isLittle(left) && isLittle(right) && (isWord(plain(word, 'i')) || isWord(plain(word, 'l'))),
  )
}

function isWord(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '')
  return WORDS.has(letters) || areWords(letters)
}

function areWords(letters: string): boolean {
  for (let at = 2; at <= letters.length - 2; at++)
    if (WORDS.has(letters.slice(0, at)) && WORDS.has(letters.slice(at))) return true
  return false
}

/** A few characters; or digits in a row or repeated, with a sign or two. */
function isLittle(around: string): boolean {
  if (around.length <= MAX_AROUND) return true
  const digits = around.replace(/\D/g, '')
  return around.length - digits.length <= 2 && (isRepeated(digits) || isRun(digits))
}

const LINES = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  '`1234567890-=',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '~!@#$%^&*()_+',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'qwertzuiop',
  'yxcvbnm',
  '147258369',
  '789456123',
  '741852963',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaqxswcdevfrbgtnhymjukilop',
  '!qaz@wsx#edc$rfv%tgb^yhn',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  'aabbccddeeffgghh',
  '1122334455667788990011',
]

/** Forwards and backwards. */
const ROWS = LINES.flatMap((line) => [line, Array.from(line).toReversed().join('')])

/** First names, teams, figures, feelings, and what programs are delivered with. */
const WORDS = new Set(
  `password passwort passwords pass passwd passphrase motdepasse contrasena contraseña senha parola
  wachtwoord haslo salasana heslo parool mypassword thepassword newpassword yourpassword nopassword
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc asdzxc
  abc abcd abcde abcdef admin administrator administrateur root toor user username guest login logon
  signin signup default changeme changethis changeit temp temporary test testing tester testtest demo
  example sample system server service support manager master super superuser supervisor operator
  webmaster hostmaster postmaster database oracle mysql postgres windows linux ubuntu cisco router
  netgear linksys samsung google facebook twitter instagram youtube yahoo hotmail gmail microsoft apple
  iphone android nokia sony playstation nintendo xbox minecraft fortnite roblox pokemon naruto mario
  zelda starwars startrek matrix avatar batman superman spiderman ironman wolverine deadpool joker
  hello hellothere helloworld welcome welcomeback hola bonjour ciao salut hallo letmein letmeinnow
  openup open opensesame sesame access accessgranted secret topsecret mysecret private secure security
  safety trustno trustme whatever nothing something anything everything nobody somebody everybody
  iloveyou iloveu ilove loveyou loveme lovely lover love lovelove mylove truelove teamo tequiero
  jetaime tiamo princess prince queen king angel angels angelo baby babygirl babyboy sweety sweetie
  sweetheart honey sunshine sunflower flower flowers rainbow butterfly star stars moon sun sky heaven
  hell devil demon god jesus jesuschrist christ blessed faith hope peace happy happiness smile friend
  friends friendship forever forever family mother father mommy daddy brother sister
  football baseball basketball soccer hockey tennis golf golfer rugby cricket volleyball softball
  running runner swimming fishing hunting racing skater skateboard surfing snowboard yankees lakers
  cowboys eagles steelers redsox patriots packers raiders broncos dolphins bulldogs tigers lions
  bears panthers falcons ravens liverpool chelsea arsenal manchester manutd mancity barcelona
  realmadrid juventus milan inter ajax bayern dortmund benfica porto flamengo corinthians palmeiras
  monkey dragon tiger lion bear wolf eagle falcon hawk phoenix panther cougar horse pony kitty kitten
  puppy doggy dog cat bunny rabbit chicken turtle dolphin shark spider scorpion cobra viper snake
  mustang ferrari porsche mercedes bmw audi toyota honda corvette camaro harley yamaha suzuki ducati
  michael michelle jennifer jessica jordan joshua daniel david andrew anthony robert richard thomas
  matthew william james john joseph charles charlie george edward kevin brian steven stephen patrick
  nicholas nicole natalie stephanie elizabeth victoria samantha amanda ashley andrea angela rebecca
  rachel sarah laura maria anna emma sophie julia martin peter paul mark alex alexander alexandra
  alejandro carlos antonio francisco fernando eduardo ricardo roberto gabriel rafael daniela mariana
  carolina isabella valentina christian christina christopher benjamin jonathan samuel maxwell maggie
  buster bailey buddy lucky rocky ginger pepper peanut cookie cookies chocolate banana orange apple
  cherry strawberry pumpkin coffee whiskey vodka tequila corona budweiser pizza cheese butter sugar
  summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january
  february march april june july august september october november december birthday christmas
  america american canada england london paris berlin france germany deutschland italia italy espana
  spain brasil brazil mexico argentina colombia india pakistan australia china japan korea russia
  moscow newyork california texas florida chicago boston dallas denver austin houston phoenix
  computer internet network software hardware keyboard monitor laptop desktop programmer developer
  hacker hacking cracker crack cyber killer ninja samurai warrior soldier marine army navy airforce
  police pirate knight wizard merlin gandalf hobbit frodo legolas aragorn sauron harrypotter hogwarts
  hermione voldemort vader skywalker yoda chewbacca metallica nirvana slipknot eminem tupac biggie
  beatles elvis madonna rihanna beyonce shakira guitar drums piano music musica rock rockstar rocknroll
  freedom liberty justice power powerful strong fighter champion winner victory success money dollar
  million millionaire business company office work school college university student teacher doctor
  nurse lawyer engineer trouble crazy sexy hottie cutie gangster player gamer gaming games game
  purple yellow green blue red black white silver golden gold diamond crystal ruby emerald blackjack
  blackberry bluebird redbull snoopy garfield mickey minnie donald goofy tweety tinkerbell cinderella
  barbie scooby simpson bart homer southpark spongebob patrick bond jamesbond agent zero infinity
  thunder lightning storm fire water earth wind ocean island beach mountain river forest nature
  and the my your our we is am im me you a the in of to it this that not new one two three four five
  company signpost shortlink bitly links link`.split(/\s+/),
)
