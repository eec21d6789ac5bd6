import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Link niet gevonden',
      text: 'Controleer het adres op typefouten. De link kan ook uitgeschakeld of verwijderd zijn.',
    },
    pending: {
      title: 'Deze link is nog niet beschikbaar',
      text: 'Kom later terug of vraag de afzender wanneer hij opengaat.',
    },
    expired: {
      title: 'Deze link is verlopen',
      text: 'Hij werkte tot een datum die de eigenaar heeft gekozen. Vraag de afzender om een nieuwe.',
    },
    exhausted: {
      title: 'Deze link heeft zijn kliklimiet bereikt',
      text: 'Hij kon een beperkt aantal keren worden geopend. Vraag de afzender om een nieuwe.',
    },
    suspended: {
      title: 'Deze link is buiten gebruik',
      text: 'Het bijbehorende account is niet actief. Vraag de afzender waar hij naartoe had moeten leiden.',
    },
    blocked: {
      title: 'Deze link is geblokkeerd',
      text: 'De beheerder van deze dienst heeft hem offline gehaald. Als een bericht je hierheen bracht, wees dan voorzichtig met alles wat het verder vraagt.',
    },
    noPreview: {
      title: 'Geen voorbeeld voor dit adres',
      text: 'De link bestaat niet, of laat niet zien waar hij naartoe leidt.',
    },
    malformed: {
      title: 'Dit adres is ongeldig',
      text: 'Het bevat tekens die geen enkele link heeft. Controleer of je het helemaal hebt gekopieerd.',
    },
    tooLong: {
      title: 'Dit adres is te lang',
      text: 'Controleer of er niets anders met de link is meegekopieerd.',
    },
    unavailable: {
      title: 'Probeer het opnieuw',
      text: 'We kunnen deze link nu niet opzoeken. Probeer het over een paar seconden opnieuw.',
    },
    broken: {
      title: 'Er ging iets mis',
      text: 'Het probleem ligt bij ons. Probeer het over een paar seconden opnieuw.',
    },
  },
  error: 'Fout',
  reportAbuse: 'Misbruik melden',
  password: {
    title: 'Voor deze link is een wachtwoord nodig',
    intro: 'Voer het wachtwoord in dat bij de link hoorde.',
    wrong: 'Dit wachtwoord is onjuist. Controleer het en probeer het opnieuw.',
    label: 'Wachtwoord',
    open: 'Link openen',
    cookie: 'Een cookie houdt de link 12 uur open in deze browser.',
  },
  attempts: {
    title: 'Te veel pogingen',
    wait: (time) => `Dit wachtwoord is niet gecontroleerd. Probeer het opnieuw over ${time}.`,
    back: 'Terug naar de link',
  },
  app: {
    title: 'Deze link opent een app',
    without: (host) => `Heb je de app niet, ga dan verder naar ${host}.`,
    open: 'App openen',
    browser: 'Doorgaan in de browser',
  },
  inspection: {
    title: 'Deze link leidt naar',
    conditional: 'Afhankelijk van apparaat, plaats of tijd kan hij ergens anders heen leiden.',
    mixedScript:
      'Let op: de sitenaam in dit adres mengt alfabetten of gebruikt letters die op Latijnse lijken. Controleer of het de site is die je verwacht.',
  },
}
