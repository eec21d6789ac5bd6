import type { messages as english } from '../en/domains.ts'

export const messages: typeof english = ({ plural }) => ({
  domains: {
    title: 'Domaines',
    count: (count) => plural(count, { one: '# domaine', other: '# domaines' }),
    missing: 'Domaine introuvable dans cet espace de travail',
    add: 'Ajouter un domaine',
    added: (hostname) => `${hostname} ajouté. Ajoutez maintenant ses enregistrements DNS.`,
    hostname: 'Domaine',
    hostnameHint:
      'Par exemple go.example.com. Vous pouvez aussi coller une adresse qui s’y trouve.',
    search: 'Rechercher des domaines',
    statusFilter: 'Statut',
    anyStatus: 'Tous les statuts',
    noneFound: 'Aucun domaine correspondant',
    noneFoundHint: 'Choisissez un autre statut ou cherchez autre chose.',
    none: 'Aucun domaine pour l’instant',
    noneExplain:
      'Mettez votre nom dans les liens courts, comme go.example.com/soldes. Il faut ajouter deux enregistrements DNS.',
    noneForRole: 'Un admin de cet espace de travail peut en ajouter un.',
    default: 'Par défaut',
    neverChecked: 'pas encore vérifié',
    lastChecked: 'contrôlé',
    verifiedAt: 'vérifié',
    actionsOf: (hostname) => `Actions pour ${hostname}`,
    records: 'Enregistrements DNS',
    recordsExplain:
      'Ajoutez ces enregistrements chez votre fournisseur DNS. S’il complète chaque nom avec le domaine, ne saisissez que la partie qui précède.',
    recordsToCome: 'Enregistrements nécessaires',
    recordsToComeNote:
      'Un domaine racine comme example.com utilise des enregistrements A et AAAA au lieu de CNAME.',
    exampleHost: 'go.example.com',
    tokenToCome: 'signpost-verify=… (affiché après l’ajout du domaine)',
    targetToCome: 'affiché après l’ajout du domaine',
    type: 'Type',
    name: 'Nom',
    value: 'Valeur',
    state: 'Dernier contrôle',
    purposes: {
      ownership: 'prouve que le domaine est à vous',
      routing: 'dirige les visiteurs ici',
    },
    copyName: (type) => `Copier le nom de l’enregistrement ${type}`,
    copyValue: (type) => `Copier la valeur de l’enregistrement ${type}`,
    found: 'trouvé',
    notFound: 'introuvable',
    notChecked: 'pas encore contrôlé',
    foundInstead: 'trouvé à la place :',
    foundBeside: 'trouvé aussi :',
    noRoute: 'L’enregistrement qui dirige le domaine ici n’est pas encore connu.',
    noRouteExplain:
      'Donnez à CNAME_TARGET le nom sous lequel les visiteurs atteignent ce serveur, comme links.example.com, ou à PUBLIC_URL son adresse, comme https://links.example.com. Puis redémarrez-le.',
    proof: 'Vérifier sans DNS',
    proofExplain:
      'Au lieu de l’enregistrement TXT, un serveur web du domaine peut renvoyer ce texte, et rien d’autre, à cette adresse.',
    copyProofUrl: 'Copier l’adresse',
    copyToken: 'Copier le texte',
    status: 'Statut',
    checkNow: 'Vérifier maintenant',
    checking: 'Vérification des enregistrements…',
    states: {
      pending: 'Les enregistrements n’ont pas encore été trouvés.',
      verified: 'Vérifié. Les liens de ce domaine fonctionnent.',
      misconfigured: 'L’enregistrement TXT a disparu.',
      failed: 'Non vérifié. Les liens de ce domaine affichent « Introuvable ».',
    },
    next: {
      pending:
        'Ajoutez les enregistrements, puis vérifiez. Signpost vérifie aussi automatiquement : toutes les dix minutes pendant sept jours, puis chaque jour.',
      verified: 'Gardez l’enregistrement TXT. Signpost le vérifie chaque jour.',
      misconfigured:
        'Les liens fonctionnent encore 72 heures. Remettez l’enregistrement TXT ; Signpost vérifie toutes les heures.',
      failed:
        'Corrigez les enregistrements et vérifiez à nouveau. Signpost vérifie aussi automatiquement : toutes les dix minutes les sept premiers jours, puis chaque jour.',
    },
    reasons: {
      not_found:
        'Ce domaine n’existe pas dans le DNS. Vérifiez l’orthographe, ou enregistrez-le d’abord.',
      not_configured:
        'L’enregistrement TXT est introuvable. Un nouvel enregistrement peut prendre quelques minutes, ou des heures chez certains fournisseurs.',
      token_mismatch: 'L’enregistrement TXT a une autre valeur. Remplacez-la par celle ci-dessous.',
      conflicting_records:
        'Les enregistrements sont corrects, mais un autre espace de travail utilise ce domaine. Supprimez-le d’abord là-bas.',
      lookup_error:
        'Les serveurs de noms du domaine n’ont pas répondu. Vérifiez à nouveau dans quelques minutes.',
    },
    certificate: {
      states: {
        none: 'Ce serveur ne demande pas de certificat pour lui. Si un proxy en amont en a un, les liens s’ouvrent en HTTPS.',
        pending: 'Certificat demandé. Les liens s’ouvriront bientôt en HTTPS.',
        active: 'Certificat actif. Les liens s’ouvrent en HTTPS.',
        failed:
          'Aucun certificat valide : les liens ne s’ouvrent pas en HTTPS. Signpost réessaie automatiquement.',
      },
      nextAttempt: 'Prochaine tentative :',
      reasons: {
        dns: 'L’autorité de certification n’a pas trouvé le domaine dans le DNS. Ajoutez l’enregistrement qui dirige les visiteurs ici.',
        connection:
          'L’autorité de certification n’a pas pu se connecter. Vérifiez l’enregistrement qui dirige les visiteurs ici, et demandez à l’opérateur si les ports 80 et 443 sont ouverts.',
        wrong_answer:
          'Un autre serveur répond pour ce domaine. Corrigez l’enregistrement qui dirige les visiteurs ici, et supprimez les autres enregistrements A et AAAA.',
        caa: 'Un enregistrement CAA n’autorise que d’autres autorités de certification. Supprimez-le, ou ajoutez celle de ce serveur.',
        rate_limited:
          'La limite de l’autorité de certification est atteinte. Signpost réessaiera plus tard.',
        refused: 'L’autorité de certification a refusé. La raison est dans le journal du serveur.',
        share_used:
          'Ce compte ou ce domaine a demandé beaucoup de certificats. Signpost réessaie automatiquement.',
        unreachable:
          'Le certificat a expiré et l’autorité de certification est injoignable. La raison est dans le journal du serveur.',
      },
    },
    notRouted:
      'Les visiteurs n’arrivent pas encore ici : l’enregistrement qui les dirige manque ou a une autre valeur.',
    history: 'Historique du statut',
    by: (name) => `par ${name}`,
    settings: 'Paramètres',
    editSettings: 'Paramètres du domaine',
    isDefault: 'Domaine par défaut',
    isDefaultHint: 'Les nouveaux liens l’utilisent, sauf si vous en choisissez un autre.',
    isDefaultLater: 'Vérifiez le domaine pour en faire le domaine par défaut.',
    caseSensitive: 'Distinguer majuscules et minuscules',
    caseSensitiveHint: '/Docs et /docs sont des liens différents.',
    rootRedirectUrl: 'Rediriger la page d’accueil vers',
    notFoundUrl: 'Rediriger les liens inconnus vers',
    expiredUrl: 'Rediriger les liens expirés vers',
    expiredUrlHint: 'L’URL de repli d’un lien passe avant.',
    appleAppSiteAssociation: 'Liens d’application iOS',
    appleAppSiteAssociationHint: 'JSON, servi à /.well-known/apple-app-site-association.',
    assetLinks: 'Liens d’application Android',
    assetLinksHint: 'JSON, servi à /.well-known/assetlinks.json.',
    notObject: 'Saisissez un objet JSON : { … }.',
    notArray: 'Saisissez un tableau JSON : [ … ].',
    notJson: (reason) => `Ce n’est pas du JSON valide : ${reason}`,
    ownPage: 'la page par défaut',
    isBlocked: '(bloqué par l’opérateur : les visiteurs voient la page par défaut)',
    noFile: 'aucun',
    aFile: 'défini',
    yes: 'oui',
    no: 'non',
    createdAt: 'Ajouté',
    id: 'ID',
    conflict: 'Quelqu’un d’autre a modifié ce domaine depuis que vous l’avez ouvert.',
    delete: 'Supprimer',
    deleteTitle: (hostname) => `Supprimer ${hostname} ?`,
    deleteExplain:
      'Vous ne pourrez plus l’utiliser pour des liens, et un autre espace de travail pourra l’ajouter.',
    deleted: (hostname) => `${hostname} supprimé.`,
    moveLinks: 'Déplacer ses liens vers le domaine commun',
    moveLinksHint:
      'Ils gardent leurs slugs, clics et historique. Les URL courtes de ce domaine cessent de fonctionner.',
    takenSlugs: 'Liens impossibles à déplacer',
    limitReached: (max) =>
      plural(max, {
        one: 'Votre offre comprend # domaine, et il est utilisé.',
        other: 'Votre offre comprend # domaines, et tous sont utilisés.',
      }),
    toPlans: 'Voir les offres',
  },
})
