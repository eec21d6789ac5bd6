import type { messages as english } from '../en/apps.ts'

export const messages: typeof english = ({ plural }) => ({
  apps: {
    title: 'Applications connectées',
    count: (count) => plural(count, { one: '# application', other: '# applications' }),
    none: 'Les applications comme Claude ou la ligne de commande apparaissent ici une fois autorisées.',
    device: 'sur un appareil',
    allowTitle: (name) => `Autoriser ${name} ?`,
    signedInAs: (email) => `Vous êtes connecté en tant que ${email}.`,
    describedBy: (host) => `L’application appartient à ${host}.`,
    isUnknown: 'N’importe qui peut utiliser ce nom : vérifiez où l’application vous renvoie.',
    returnsTo: (place) => `Si vous autorisez, votre navigateur revient à ${place}.`,
    returnsHere: 'Si vous autorisez, un programme de cet ordinateur obtient l’accès.',
    checkDevice:
      'N’autorisez que si vous avez lancé la connexion vous-même et que votre terminal affiche ce code :',
    workspace: 'Espace de travail',
    allow: 'Autoriser',
    deny: 'Refuser',
    onlyAdmins:
      'Seuls les admins et les propriétaires d’un espace de travail peuvent autoriser des applications.',
    codeTitle: 'Se connecter sur un appareil',
    code: 'Code',
    codeHint: 'Le code affiché par votre terminal.',
    goOn: 'Continuer',
    allowed: 'Autorisé. Revenez au terminal.',
    denied: 'Refusé. Vous pouvez fermer cette page.',
    returning: 'Votre navigateur revient à l’application.',
  },
})
