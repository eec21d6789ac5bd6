import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('nl')

export const mails: MailTexts = {
  hello: (name) => `Hallo ${name},`,
  helloNobody: 'Hallo,',
  unnamed: '(zonder naam)',
  roles: { owner: 'eigenaar', admin: 'beheerder', member: 'lid', viewer: 'lezer' },
  once: 'De link werkt één keer, binnen een uur.',
  notYou: 'Heb je dit niet aangevraagd, negeer deze e-mail dan. Er is niets veranderd.',
  wasItYou: 'Was jij dit niet, stel dan nu een nieuw wachtwoord in en meld alle andere sessies af.',
  otherCredentials:
    'Een nieuw wachtwoord verandert niets aan je API-sleutels, passkeys en gekoppelde accounts. Controleer ze in de instellingen van je account en werkruimten, en verwijder wat je niet herkent.',
  verifyEmail: {
    subject: 'Bevestig je e-mailadres',
    text: 'Bevestig dit e-mailadres om je registratie bij Signpost af te ronden.',
    link: 'E-mail bevestigen',
    where: 'Open hem in de browser waarin je je registreerde, of houd je wachtwoord bij de hand.',
    notYou: 'Heb je je niet geregistreerd, negeer deze e-mail dan. Er komt geen account.',
  },
  alreadyRegistered: {
    subject: 'Je hebt al een account',
    text: 'Met dit adres is een registratie bij Signpost gedaan, maar het heeft al een account. Log in, of stel een nieuw wachtwoord in als je het vergeten bent.',
    link: 'Inloggen',
  },
  resetPassword: {
    subject: 'Kies een nieuw wachtwoord',
    text: 'Er is een nieuw wachtwoord aangevraagd voor je account.',
    link: 'Nieuw wachtwoord kiezen',
  },
  passwordChanged: {
    subject: 'Je wachtwoord is gewijzigd',
    text: 'Het wachtwoord van je Signpost-account is zojuist gewijzigd.',
  },
  approveEmailChange: {
    subject: 'Keur de wijziging van je e-mailadres goed',
    text: (newEmail) =>
      `Er is gevraagd je e-mailadres te wijzigen in ${newEmail}. Dat gebeurt zodra je het hier goedkeurt en het nieuwe adres is bevestigd.`,
    link: 'Wijziging goedkeuren',
    notYou:
      'Heb je dit niet aangevraagd, keur het dan niet goed. Wijzig meteen je wachtwoord: misschien heeft een vreemde toegang tot je account.',
  },
  verifyNewEmail: {
    subject: 'Bevestig je nieuwe e-mailadres',
    text: (name, email) =>
      `${name} (${email}) wil dit e-mailadres gebruiken voor een account bij Signpost.`,
    link: 'E-mail bevestigen',
    where:
      'Open hem in een browser die bij dat account is ingelogd, of houd het wachtwoord ervan bij de hand.',
    notYou:
      'Is dit niet jouw account, negeer deze e-mail dan. Zonder bevestiging verandert er niets.',
  },
  emailChanged: {
    subject: 'Je e-mailadres is gewijzigd',
    text: (newEmail) =>
      `Je account gebruikt nu ${newEmail}. Dit is de laatste e-mail naar je oude adres.`,
    notYou:
      'Was jij dit niet, neem dan contact op met de beheerder van deze server. Met dit adres kun je niet meer inloggen.',
  },
  invitation: {
    subject: 'Uitnodiging voor een werkruimte op Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} nodigt je uit voor de werkruimte ${workspace} op Signpost, als ${role}.`,
    link: 'Uitnodiging openen',
    terms:
      'Alleen dit adres kan de uitnodiging aannemen. Ze verloopt over 14 dagen. De link bevestigt dat het adres van jou is, dus stuur deze e-mail niet door.',
    unknown: 'Ken je de afzender niet, negeer deze e-mail dan.',
  },
  accountDeleted: {
    subject: 'Je account is verwijderd',
    text: 'Je account is verwijderd, met alle gegevens die alleen van jou waren. Dit is onze laatste e-mail aan jou.',
  },
  webhookFailing: {
    subject: 'Webhooks komen steeds niet aan',
    subjectPaused: 'Webhook-endpoints zijn gepauzeerd omdat leveringen mislukken',
    text: (workspace) =>
      `Alle leveringen aan deze webhook-endpoints van de werkruimte ${workspace} mislukken:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} bij de laatste poging, geen succes sinds ${since}.`,
    pausedAt: (time) => `Gepauzeerd sinds ${time}.`,
    status: (status) => `status ${status}`,
    noAnswer: (error) => `geen antwoord (${error})`,
    more: (count) => plural(count, { one: 'En nog #.', other: 'En nog #.' }),
    paused:
      'Een gepauzeerd endpoint ontvangt niets. Hervat het in het dashboard zodra de ontvanger werkt: wachtende leveringen worden dan verzonden, en een herhaling verzendt wat er intussen gebeurde.',
    kept: 'Leveringen zonder resterende pogingen blijven bewaard. Je kunt ze herhalen zodra de ontvanger met een status 2xx antwoordt.',
    why: 'Je krijgt deze e-mail omdat een endpoint jouw adres als failureEmail noemt. Elk endpoint wordt één keer gemeld tot het volgende succes.',
    whyPaused:
      'Je krijgt deze e-mail omdat een endpoint jouw adres als failureEmail noemt, of omdat de werkruimte van jou is. Elk endpoint wordt één keer gemeld tot het volgende succes, en één keer als het wordt gepauzeerd.',
  },
  reportReady: {
    subject: 'Een gepland rapport is klaar',
    text: (report, workspace) => `Het rapport ${report} van de werkruimte ${workspace} is klaar.`,
    link: 'Rapporten openen',
    terms: 'Je moet inloggen om het te openen. Het bestand blijft 30 dagen bewaard.',
    why: 'Je krijgt deze e-mail omdat je ontvanger van dit rapport bent. Een lid van de werkruimte kan je verwijderen.',
  },
  alert: {
    subject: 'Een melding over je links',
    over: 'Een melding is voorbij',
    wholeWorkspace: 'de hele werkruimte',
    high: (target, count, usual) =>
      `${target}: ${count} klikken in het laatste volle uur, waar er op dit tijdstip meestal ${usual} zijn.`,
    low: (target, count, usual) =>
      `${target}: maar ${count} klikken in het laatste volle uur, waar er op dit tijdstip meestal ${usual} zijn.`,
    failing: (target) => `${target}: de bestemming antwoordt niet, of met een fout.`,
    clicksOver: (target, count) =>
      `${target}: de klikken zijn weer zoals gewoonlijk, ${count} in het laatste volle uur.`,
    destinationOver: (target) => `${target}: de bestemming antwoordt weer.`,
    of: (workspace) => `Werkruimte: ${workspace}.`,
    link: 'Meldingen openen',
    why: 'Je krijgt deze e-mail omdat je ontvanger van deze melding bent. Een lid van de werkruimte kan je verwijderen.',
  },
}
