import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Wachtwoord',
  signIn: 'Inloggen',
  openDashboard: 'Dashboard openen',
  gone: {
    title: 'Deze link werkt niet meer',
    text: 'De link is verlopen, al gebruikt of door een nieuwere vervangen. Vraag een nieuwe aan.',
  },
  verify: {
    title: 'Bevestig je e-mail',
    here: (email) => `Je hebt je in deze browser geregistreerd met ${email}.`,
    elsewhere: (email) =>
      `Voer het wachtwoord in dat je koos bij de registratie met ${email}. Was jij dat niet, sluit dan deze pagina.`,
    button: 'Bevestigen en inloggen',
    readyTitle: 'Je adres is bevestigd',
    notJoined:
      'Je account is klaar, maar je bent nog geen lid van de werkruimte die je uitnodigde.',
  },
  reset: {
    title: 'Kies een nieuw wachtwoord',
    text: (email) => `Voor ${email}. Je wordt overal elders afgemeld.`,
    label: 'Nieuw wachtwoord (minstens 10 tekens)',
    button: 'Wachtwoord opslaan',
    done: {
      title: 'Wachtwoord gewijzigd',
      text: 'Je bent overal afgemeld. Log in met je nieuwe wachtwoord.',
    },
  },
  change: {
    approveTitle: 'Keur je nieuwe e-mail goed',
    confirmTitle: 'Bevestig je nieuwe e-mail',
    facts: (name, email, newEmail) =>
      `Het account van ${name} (${email}) gaat over op ${newEmail} zodra beide adressen hebben bevestigd.`,
    warning:
      'Is dit niet jouw account, sluit dan deze pagina: met een bevestiging geef je het jouw adres.',
    password: 'Voer het wachtwoord van dat account in, of log er eerst op in in deze browser.',
    approve: 'Goedkeuren',
    confirm: 'Bevestigen',
    done: 'Bevestigd',
    changed: 'Je account gebruikt nu het nieuwe adres.',
    almost: 'Bijna klaar. Bevestig nu de e-mail die we naar het andere adres stuurden.',
  },
  code: {
    title: 'Voer je code in',
    text: 'Voer de zes cijfers uit je authenticator-app in, of een van je back-upcodes.',
    label: 'Code',
  },
  invitation: {
    title: (workspace) => `Uitnodiging voor ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} nodigt je uit voor de werkruimte ${workspace}, als ${role}. De uitnodiging is voor ${email} en verloopt op ${day}.`,
    formerMember: 'Een voormalig lid',
    accept: 'Aannemen',
    decline: 'Weigeren',
    otherAccount: (email) =>
      `Je bent ingelogd als ${email}. Deze uitnodiging is voor een ander adres.`,
    toAnswer: (email) => `Log in met ${email} om te antwoorden.`,
    toAnswerOrSignUp: (email) =>
      `Log in met ${email} om te antwoorden, of registreer je als je nog geen account hebt.`,
    provider: (name) => `Doorgaan met ${name}`,
    signUp: 'Registreren en meedoen',
    unknown: {
      title: 'Uitnodiging niet gevonden',
      text: 'Misschien heeft een nieuwere e-mail haar vervangen. Open de link in de laatste, of vraag een nieuwe uitnodiging.',
    },
    closed: 'Deze uitnodiging is gesloten',
    statuses: {
      accepted: 'Deze uitnodiging is al aangenomen.',
      rejected: 'Deze uitnodiging is geweigerd.',
      canceled: 'Deze uitnodiging is ingetrokken.',
      expired: 'Deze uitnodiging is verlopen.',
    },
    joined: (workspace) => `Je bent lid van ${workspace}`,
    role: (role) => `Je rol is ${role}.`,
    declined: 'Je hebt de uitnodiging geweigerd',
    declinedText: (workspace) =>
      `Je bent geen lid van ${workspace}. De beheerders zien je antwoord.`,
  },
  report: {
    title: 'Een korte link melden',
    intro:
      'Je melding gaat naar de beheerder van deze dienst. De eigenaar van de link kan lezen wat je schrijft, maar ziet je e-mailadres niet.',
    url: 'Korte link',
    reason: 'Wat is er mis mee?',
    reasons: {
      phishing: 'Hij doet een andere site na',
      malware: 'Hij biedt schadelijke software aan',
      spam: 'Het is spam',
      other: 'Iets anders',
    },
    details: 'Wat is er gebeurd? (optioneel)',
    email: 'Je e-mail, voor vragen (optioneel)',
    send: 'Melding versturen',
    sent: {
      title: 'Bedankt voor je melding',
      text: 'De beheerder van deze dienst bekijkt de link. Je kunt deze pagina sluiten.',
    },
  },
  failed: {
    title: 'Dat is niet gelukt',
    fix: 'Ga terug, los het probleem op en probeer het opnieuw.',
    wait: 'Probeer het zo opnieuw.',
  },
  errors: {
    length: 'Het wachtwoord moet 10 tot 256 tekens hebben.',
    weak: 'Dit wachtwoord is makkelijk te raden. Kies een langer, zoals een paar woorden zonder verband.',
    required: 'Voer het wachtwoord in.',
    url: 'Dit is geen korte link van deze dienst, zoals https://links.example.com/spring.',
    VALIDATION_ERROR: 'Een waarde is ongeldig.',
    UNAUTHORIZED: 'Log opnieuw in.',
    INVALID_CREDENTIALS: 'Het wachtwoord is onjuist.',
    INVALID_CODE: 'Deze code is ongeldig.',
    FORBIDDEN: 'Dit is niet toegestaan.',
    NOT_FOUND: 'Dit bestaat niet meer.',
    CONFLICT: 'Dit past niet bij de huidige stand. Misschien is het al gedaan.',
    GONE: 'De link is verlopen of al gebruikt.',
    PLAN_LIMIT_REACHED: 'De werkruimte heeft een limiet van haar abonnement bereikt.',
    RATE_LIMITED: 'Te veel pogingen. Probeer het later opnieuw.',
    UNAVAILABLE: 'De dienst is nu niet beschikbaar.',
    INTERNAL_ERROR: 'Er ging iets mis op de server.',
  },
}
