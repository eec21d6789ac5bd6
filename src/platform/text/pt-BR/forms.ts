import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Senha',
  signIn: 'Entrar',
  openDashboard: 'Abrir o painel',
  gone: {
    title: 'Este link não funciona mais',
    text: 'O link expirou, já foi usado ou foi substituído por um mais recente. Peça um novo.',
  },
  verify: {
    title: 'Confirme seu e-mail',
    here: (email) => `Você se cadastrou com ${email} neste navegador.`,
    elsewhere: (email) =>
      `Digite a senha escolhida no cadastro com ${email}. Se não foi você, feche esta página.`,
    button: 'Confirmar e entrar',
    readyTitle: 'Seu endereço está confirmado',
    notJoined: 'Sua conta está pronta, mas você não entrou no espaço de trabalho do convite.',
  },
  reset: {
    title: 'Escolha uma nova senha',
    text: (email) => `Para ${email}. Todas as outras sessões serão encerradas.`,
    label: 'Nova senha (pelo menos 10 caracteres)',
    button: 'Salvar senha',
    done: {
      title: 'Senha alterada',
      text: 'Todas as sessões foram encerradas. Entre com sua nova senha.',
    },
  },
  change: {
    approveTitle: 'Aprove seu novo e-mail',
    confirmTitle: 'Confirme seu novo e-mail',
    facts: (name, email, newEmail) =>
      `A conta de ${name} (${email}) muda para ${newEmail} quando os dois endereços confirmarem.`,
    warning: 'Se não é sua conta, feche esta página: ao confirmar, você daria seu endereço a ela.',
    password: 'Digite a senha dessa conta ou, antes, entre nela neste navegador.',
    approve: 'Aprovar',
    confirm: 'Confirmar',
    done: 'Confirmado',
    changed: 'Sua conta agora usa o novo endereço.',
    almost: 'Quase pronto. Agora confirme o e-mail enviado ao outro endereço.',
  },
  code: {
    title: 'Digite seu código',
    text: 'Digite os seis dígitos do seu aplicativo autenticador ou um código de reserva.',
    label: 'Código',
  },
  invitation: {
    title: (workspace) => `Convite para ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} convida você para o espaço de trabalho ${workspace}, como ${role}. O convite é para ${email} e expira em ${day}.`,
    formerMember: 'Um ex-membro',
    accept: 'Aceitar',
    decline: 'Recusar',
    otherAccount: (email) => `Você entrou como ${email}. Este convite é para outro endereço.`,
    toAnswer: (email) => `Para responder, entre com ${email}.`,
    toAnswerOrSignUp: (email) =>
      `Para responder, entre com ${email} ou cadastre-se, se ainda não tem uma conta.`,
    provider: (name) => `Continuar com ${name}`,
    signUp: 'Cadastrar-se e participar',
    unknown: {
      title: 'Convite não encontrado',
      text: 'Talvez um e-mail mais recente o tenha substituído. Abra o link do último ou peça um novo convite.',
    },
    closed: 'Este convite está encerrado',
    statuses: {
      accepted: 'Este convite já foi aceito.',
      rejected: 'Este convite foi recusado.',
      canceled: 'Este convite foi cancelado.',
      expired: 'Este convite expirou.',
    },
    joined: (workspace) => `Você entrou em ${workspace}`,
    role: (role) => `Seu papel é ${role}.`,
    declined: 'Você recusou o convite',
    declinedText: (workspace) =>
      `Você não entrou em ${workspace}. Os administradores veem sua resposta.`,
  },
  report: {
    title: 'Denunciar um link curto',
    intro:
      'A denúncia vai para o operador deste serviço. O dono do link pode ler o texto, mas não seu endereço de e-mail.',
    url: 'Link curto',
    reason: 'Qual é o problema?',
    reasons: {
      phishing: 'Ele imita outro site',
      malware: 'Ele oferece software malicioso',
      spam: 'É spam',
      other: 'Outra coisa',
    },
    details: 'O que aconteceu? (opcional)',
    email: 'Seu e-mail, para perguntas (opcional)',
    send: 'Enviar denúncia',
    sent: {
      title: 'Obrigado pela denúncia',
      text: 'O operador deste serviço vai analisar o link. Você pode fechar esta página.',
    },
  },
  failed: {
    title: 'Não funcionou',
    fix: 'Volte, corrija o problema e tente de novo.',
    wait: 'Tente de novo daqui a pouco.',
  },
  errors: {
    length: 'A senha deve ter de 10 a 256 caracteres.',
    weak: 'Esta senha é fácil de adivinhar. Escolha uma mais longa, como várias palavras sem relação.',
    required: 'Digite a senha.',
    url: 'Não é um link curto deste serviço, como https://links.example.com/spring.',
    VALIDATION_ERROR: 'Um valor não é válido.',
    UNAUTHORIZED: 'Entre de novo.',
    INVALID_CREDENTIALS: 'A senha está incorreta.',
    INVALID_CODE: 'Este código não é válido.',
    FORBIDDEN: 'Isso não é permitido.',
    NOT_FOUND: 'Isso não existe mais.',
    CONFLICT: 'Isso não corresponde ao estado atual. Talvez já tenha sido feito.',
    GONE: 'O link expirou ou já foi usado.',
    PLAN_LIMIT_REACHED: 'O espaço de trabalho atingiu um limite do plano.',
    RATE_LIMITED: 'Tentativas demais. Tente de novo mais tarde.',
    UNAVAILABLE: 'O serviço não está disponível no momento.',
    INTERNAL_ERROR: 'Algo deu errado no servidor.',
  },
}
