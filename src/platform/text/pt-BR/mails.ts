import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('pt-BR')

export const mails: MailTexts = {
  hello: (name) => `Olá, ${name},`,
  helloNobody: 'Olá,',
  unnamed: '(sem nome)',
  roles: { owner: 'proprietário', admin: 'administrador', member: 'membro', viewer: 'leitor' },
  once: 'O link funciona uma vez, dentro de uma hora.',
  notYou: 'Se você não fez este pedido, ignore este e-mail. Nada mudou.',
  wasItYou: 'Se não foi você, redefina sua senha agora e encerre todas as outras sessões.',
  otherCredentials:
    'Uma nova senha não afeta suas chaves de API, chaves de acesso e contas vinculadas. Confira-as nas configurações da sua conta e dos espaços de trabalho e remova as que você não reconhece.',
  verifyEmail: {
    subject: 'Confirme seu endereço de e-mail',
    text: 'Confirme este endereço de e-mail para concluir seu cadastro no Signpost.',
    link: 'Confirmar e-mail',
    where: 'Abra-o no navegador em que você se cadastrou ou tenha sua senha à mão.',
    notYou: 'Se você não se cadastrou, ignore este e-mail. Nenhuma conta é criada.',
  },
  alreadyRegistered: {
    subject: 'Você já tem uma conta',
    text: 'Este endereço foi usado em um cadastro no Signpost, mas já tem uma conta. Entre ou, se esqueceu a senha, redefina-a.',
    link: 'Entrar',
  },
  resetPassword: {
    subject: 'Escolha uma nova senha',
    text: 'Foi pedida uma nova senha para sua conta.',
    link: 'Escolher nova senha',
  },
  passwordChanged: {
    subject: 'Sua senha foi alterada',
    text: 'A senha da sua conta no Signpost acabou de ser alterada.',
  },
  approveEmailChange: {
    subject: 'Aprove a mudança do seu endereço de e-mail',
    text: (newEmail) =>
      `Foi pedida a mudança do seu endereço de e-mail para ${newEmail}. Ela vale depois da sua aprovação aqui e da confirmação do novo endereço.`,
    link: 'Aprovar mudança',
    notYou:
      'Se você não fez este pedido, não o aprove. Troque sua senha imediatamente: um estranho pode ter acesso à sua conta.',
  },
  verifyNewEmail: {
    subject: 'Confirme seu novo endereço de e-mail',
    text: (name, email) =>
      `${name} (${email}) quer usar este endereço de e-mail na própria conta do Signpost.`,
    link: 'Confirmar e-mail',
    where: 'Abra-o em um navegador conectado a essa conta ou tenha a senha dela à mão.',
    notYou: 'Se não é sua conta, ignore este e-mail. Nada muda sem sua confirmação.',
  },
  emailChanged: {
    subject: 'Seu endereço de e-mail foi alterado',
    text: (newEmail) =>
      `Sua conta agora usa ${newEmail}. Este é o último e-mail para o endereço antigo.`,
    notYou:
      'Se não foi você, fale com o operador deste servidor. Não é mais possível entrar com este endereço.',
  },
  invitation: {
    subject: 'Convite para um espaço de trabalho no Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} convida você para o espaço de trabalho ${workspace} no Signpost, como ${role}.`,
    link: 'Abrir o convite',
    terms:
      'Somente este endereço pode aceitar o convite. Ele expira em 14 dias. O link confirma que o endereço é seu, então não encaminhe este e-mail.',
    unknown: 'Se você não conhece o remetente, ignore este e-mail.',
  },
  accountDeleted: {
    subject: 'Sua conta foi excluída',
    text: 'Sua conta foi excluída, com todos os dados que eram só seus. Este é nosso último e-mail para você.',
  },
  webhookFailing: {
    subject: 'As entregas de webhooks continuam falhando',
    subjectPaused: 'Endpoints de webhook foram pausados porque as entregas falham',
    text: (workspace) =>
      `Todas as entregas a estes endpoints de webhook do espaço de trabalho ${workspace} estão falhando:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} na última tentativa, sem sucesso desde ${since}.`,
    pausedAt: (time) => `Pausado desde ${time}.`,
    status: (status) => `status ${status}`,
    noAnswer: (error) => `sem resposta (${error})`,
    more: (count) => plural(count, { one: 'E mais #.', other: 'E mais #.' }),
    paused:
      'Um endpoint pausado não recebe nada. Quando o receptor voltar a funcionar, retome-o no painel: as entregas pendentes são enviadas, e uma repetição envia o que aconteceu nesse meio-tempo.',
    kept: 'As entregas sem mais tentativas são guardadas. Você pode repeti-las quando o receptor responder com um status 2xx.',
    why: 'Você recebe este e-mail porque um endpoint indica seu endereço como failureEmail. Cada endpoint é informado uma vez até o próximo sucesso.',
    whyPaused:
      'Você recebe este e-mail porque um endpoint indica seu endereço como failureEmail ou porque o espaço de trabalho é seu. Cada endpoint é informado uma vez até o próximo sucesso e uma vez ao ser pausado.',
  },
  reportReady: {
    subject: 'Um relatório programado está pronto',
    text: (report, workspace) =>
      `O relatório ${report} do espaço de trabalho ${workspace} está pronto.`,
    link: 'Abrir os relatórios',
    terms: 'É preciso entrar para abri-lo. O arquivo fica guardado por 30 dias.',
    why: 'Você recebe este e-mail porque é destinatário deste relatório. Um membro do espaço de trabalho pode remover você.',
  },
  alert: {
    subject: 'Um alerta sobre seus links',
    over: 'Um alerta terminou',
    wholeWorkspace: 'todo o espaço de trabalho',
    high: (target, count, usual) =>
      `${target}: ${count} cliques na última hora completa; o habitual a esta hora são ${usual}.`,
    low: (target, count, usual) =>
      `${target}: apenas ${count} cliques na última hora completa; o habitual a esta hora são ${usual}.`,
    failing: (target) => `${target}: o destino não responde, ou responde com um erro.`,
    clicksOver: (target, count) =>
      `${target}: os cliques voltaram ao habitual, ${count} na última hora completa.`,
    destinationOver: (target) => `${target}: o destino voltou a responder.`,
    of: (workspace) => `Espaço de trabalho: ${workspace}.`,
    link: 'Abrir os alertas',
    why: 'Você recebe este e-mail porque é destinatário deste alerta. Um membro do espaço de trabalho pode remover você.',
  },
}
